#!/usr/bin/env bash
#
# Installs what building and testing need, on Debian 12, and only what is missing.
#
#   scripts/setup.sh                all that `make test` and `make ci` need
#   scripts/setup.sh --build-only   what `make run` and `make build` need
#   scripts/setup.sh --bench        also what `make bench` needs
#
# Needs root, or sudo; asks for neither, and touches no network, when everything is there.
set -euo pipefail
cd "$(dirname "$0")/.."

node_major=22
tools=build-tools # the project's own node, when the machine's is older than 20

build_packages="gcc libc6-dev meson ninja-build gperf pkg-config libcmocka-dev librocksdb-dev
    libh2o-evloop-dev libcurl4-openssl-dev libssl-dev zlib1g-dev libzstd-dev liblz4-dev libyaml-dev
    libsqlite3-dev libedit-dev"
test_packages="clang libclang-rt-14-dev clang-format python3 python3-boto3 awscli e2fsprogs"
bench_packages="nginx-light wrk"

die() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

missing_of() {
    for package in "$@"; do
        case "$installed" in
        *" $package "*) ;;
        *) printf '%s ' "$package" ;;
        esac
    done
}

apt_install() {
    local as_root=
    command -v apt-get >/dev/null || die "this machine has no apt-get; on Debian 12 these would be installed: $*"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "neither root nor sudo.  As root, run:  apt-get update && apt-get install $*"
        as_root="sudo"
    fi
    printf 'setup: installing %s\n' "$*"
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 update
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
        --no-install-recommends install "$@"
}

node_is_new() {
    command -v node >/dev/null && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ]
}

# Debian's own node is 18; its npm brings the newer one, as a plain package with the program in it.
node_install() {
    local kind
    case "$(uname -m)" in
    x86_64) kind=x64 ;;
    aarch64) kind=arm64 ;;
    *) die "no node $node_major package for $(uname -m); install Node 20 or newer and put it on PATH" ;;
    esac
    printf 'setup: installing node %s into %s\n' "$node_major" "$tools"
    mkdir -p "$tools"
    npm install --prefix "$tools" --no-save --no-audit --no-fund --loglevel=error \
        "node@npm:node-linux-$kind@$node_major"
}

want="$build_packages"
with_node=yes
case "${1-}" in
--build-only) with_node=no ;;
--bench) want="$want $test_packages $bench_packages" ;;
"") want="$want $test_packages" ;;
*) die "usage: setup.sh [--build-only | --bench]" ;;
esac

export PATH="$PWD/$tools/node_modules/node/bin:$PATH"
if [ "$with_node" = yes ] && ! command -v npm >/dev/null; then
    want="$want npm"
fi

installed=
if command -v dpkg-query >/dev/null; then
    installed=" $(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' | awk '$1 == "ii" { printf "%s ", $2 }') "
fi
missing=$(missing_of $want)
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086 # a list
    apt_install $missing
fi
if [ "$with_node" = yes ] && ! node_is_new; then
    node_install
    node_is_new || die "node in $tools does not run"
fi
