# The three graphs of the articles, step by step: `tour.sh STATOR [flags of the endpoint]`.
# Prints each answer's JSON, errors as their first line, and the exit code when it is not 0.
stator=$1
shift
endpoint="$*"
run() {
    "$stator" graph "$@" $endpoint --json 2>&1
    code=$?
    [ $code -eq 0 ] || echo "exit $code"
}

# Who follows whom.
export STATOR_TABLE=tour-follow
run init follow
run init follow
run node put actor alice name='Alice Adams'
run edge put FOLLOW alice bob since=2024
run edge put FOLLOW alice bob since=2025
run edge put FOLLOW alice bob since=2025 --strict
run edge put FOLLOW carol bob
run edge put FOLLOW alice carol close:=true
run edge put FOLLOW alice 'bob#1' 'note=an id with a #'
run edge exists FOLLOW alice bob
run edge exists FOLLOW bob alice
run edge get FOLLOW alice bob
run edge mget FOLLOW alice carol nobody bob
run out FOLLOW alice
run out FOLLOW alice --attrs --desc
run in FOLLOW bob
run in FOLLOW bob --attrs
run count FOLLOW bob in
run count FOLLOW alice out
run edge del FOLLOW alice bob
run edge del FOLLOW alice bob
run count FOLLOW bob in
run edge put FOLLOW alice alice
run count FOLLOW alice in
run node get actor alice
cursor=$(run out FOLLOW alice --limit 1 | sed 's/.*"cursor":"\([^"]*\)".*/\1/')
run out FOLLOW alice --limit 2 --cursor "$cursor"
run in FOLLOW alice --cursor "$cursor"
run edge put FOLLOW carol dave
run edge put FOLLOW bob dave
run walk FOLLOW alice --depth 2
run walk FOLLOW dave in --depth 3 --max-nodes 2
run path FOLLOW alice dave
run path FOLLOW dave alice
run common FOLLOW bob carol
run shard expand FOLLOW star 4
run edge put FOLLOW alice star
run edge put FOLLOW bob star
run edge put FOLLOW carol star
run in FOLLOW star
run count FOLLOW star in
run fsck
run node del actor star
run node del actor star
run in FOLLOW star
run count FOLLOW alice out
run fsck

# Students and courses.
export STATOR_TABLE=tour-school
run init school
run node put student a91 name=Ann
run node put course math204 title='Linear algebra'
run edge put ENROLL a91 math204 grade=A enrolledOn=2024-09-01
run edge put ENROLL b17 math204 grade=B
run edge put ENROLL a91 cs101
run edge set ENROLL a91 math204 grade=A+ points:=97
run edge get ENROLL a91 math204
run out ENROLL a91
run in ENROLL math204 --attrs
run count ENROLL math204 in
run edge del ENROLL b17 math204
run in ENROLL math204

# Users and teams: both directions written.
export STATOR_TABLE=tour-team
run init team
run edge put MEMBER 1 9 role=owner
run edge put MEMBER 2 9
run in MEMBER 9
run in MEMBER 9 --attrs
run out MEMBER 1
run count MEMBER 9 in
run edge del MEMBER 1 9
run in MEMBER 9
run count MEMBER 9 in
run count MEMBER 1 out
printf 'src,dst,role\n1,7,"owner, and more"\n2,7,\n3,7,guest\n' | run load - MEMBER
printf 'src,dst,role\n1,7,owner\n4,7,guest\n' | run load - MEMBER
printf '{"type":"MEMBER","src":"5","dst":"7","attributes":{"level":3}}\n\n{"src":"6"}\n' | run load -
run in MEMBER 7
run count MEMBER 7 in
run export | sort
run export MEMBER --format csv | sort
run export MEMBER --format dot | sort
run export MEMBER --format xml
run fsck
run out NOTHING 1
run nonsense
