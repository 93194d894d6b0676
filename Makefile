# The two commands: `make run` and `make test`.  `make help` lists the others.

prefix ?= /usr/local
DATA ?= ./data

# The project's own node, when scripts/setup.sh had to bring one.
export PATH := $(CURDIR)/build-tools/node_modules/node/bin:$(PATH)

BUILD_TYPE = --buildtype=debugoptimized
SANITIZE = -Db_sanitize=address,undefined -Db_lundef=false
SANITIZE_THREADS = -Db_sanitize=thread -Db_lundef=false

.DEFAULT_GOAL := help
.PHONY: run build test ci soak bench install conformance clean help setup setup-build \
    build-all build-asan build-tsan build-fuzz

run: setup-build build ## build and start on 127.0.0.1:8000 with the example tables
	build/stator serve --data $(DATA) --demo

build: build/build.ninja ## build only, to build/stator
	ninja -C build --quiet stator

test: setup build-all ## all tests; ends with "N passed, N failed"
	@scripts/test

ci: setup build-all build-asan build-tsan build-fuzz ## the same, under sanitizers too, short fuzz, 20 kills
	@scripts/test --ci

soak: setup build-all build-fuzz ## long kills and long fuzz, by hand
	@scripts/test --soak

bench: setup build ## side by side with dynalite and nginx; reports ratios
	scripts/setup.sh --bench
	bench/run

conformance: setup build ## the public suite, from a folder of it: make conformance DIR=…
	@scripts/conformance "$(DIR)"

install: build ## program, man page, completions; prefix=/usr/local, DESTDIR
	install -D -m 755 build/stator $(DESTDIR)$(prefix)/bin/stator
	install -d $(DESTDIR)$(prefix)/share/man/man1 \
	    $(DESTDIR)$(prefix)/share/bash-completion/completions \
	    $(DESTDIR)$(prefix)/share/zsh/site-functions \
	    $(DESTDIR)$(prefix)/share/fish/vendor_completions.d
	build/stator man > $(DESTDIR)$(prefix)/share/man/man1/stator.1
	build/stator completion bash > $(DESTDIR)$(prefix)/share/bash-completion/completions/stator
	build/stator completion zsh > $(DESTDIR)$(prefix)/share/zsh/site-functions/_stator
	build/stator completion fish > $(DESTDIR)$(prefix)/share/fish/vendor_completions.d/stator.fish

clean: ## remove what was built, not the data
	rm -rf build build-asan build-tsan build-fuzz

help: ## this
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 22

setup:
	@scripts/setup.sh

setup-build:
	@scripts/setup.sh --build-only

build-all: build/build.ninja
	ninja -C build --quiet

build/build.ninja:
	meson setup build $(BUILD_TYPE)

build-asan: build-asan/build.ninja
	ninja -C build-asan --quiet

build-asan/build.ninja:
	meson setup build-asan $(BUILD_TYPE) $(SANITIZE)

build-tsan: build-tsan/build.ninja
	ninja -C build-tsan --quiet

build-tsan/build.ninja:
	CC=clang meson setup build-tsan $(BUILD_TYPE) $(SANITIZE_THREADS)

build-fuzz: build-fuzz/build.ninja
	ninja -C build-fuzz --quiet

build-fuzz/build.ninja:
	CC=clang meson setup build-fuzz $(BUILD_TYPE) $(SANITIZE) -Dfuzz=true \
	    -Dc_args=-fsanitize=fuzzer-no-link
