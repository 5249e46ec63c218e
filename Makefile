# jitreduce: one Makefile for everything. `make help` lists the targets; the knobs follow, each with its legal values.
# Invariant: no list of sources is kept by hand, and every set of flags has a build folder of its own.

# ---- knobs: `make MODE=debug V=1` ----
# Kind of build: release, debug, asan, ubsan, tsan, fuzz (clang only)
MODE ?= release
# 1: show whole commands
V ?= 0
# 1: warnings are errors
WERROR ?= 0
# Further compiler and linker flags, put last: any
CFLAGS ?=
LDFLAGS ?=
# Where `make install` puts things: absolute paths; DESTDIR stands in front of all of them
prefix ?= $(or $(PREFIX),/usr/local)
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
includedir ?= $(prefix)/include
DESTDIR ?=
# Folder that holds all build folders: any path
BUILD_ROOT ?= build
# Library folders to build: fewer while others are in pieces (`make check PARTS="base loader" T=test_text`)
PARTS ?= base loader expression spec program headers pch image device link kernel plan host exact wisdom tune group api
# Tests to run: words that stand in a test's path; empty: all
T ?=
# Tests that run at the same time: 1 or more; seconds until a test is ended: 1 or more
TEST_JOBS ?= $(shell nproc)
TEST_TIMEOUT ?= $(if $(filter tsan,$(MODE)),7200,3600)
# 1: every test compiles all of its kernels; 0: tests share a folder of compiled kernels, which the next run finds
COLD ?= 0
# 1: copy the shared libraries that the tests need into the build folder (for a machine without them)
STATIC_DEPS ?= 0
# `make deps` also installs what `make lint` needs, what `make docs` needs: 0, 1
LINT ?= 0
DOCS ?= 0
# compute-sanitizer tool for check-gpu: memcheck, racecheck, initcheck, synccheck; empty: none
SANITIZER ?=
# C compiler: gcc, clang
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
CXX ?= g++

# ---- flags ----
, := ,
VERSION := $(shell awk '/define JR_VERSION_(MAJOR|MINOR|PATCH)/ {v = v s $$3; s = "."} END {print v}' include/jitreduce/types.h)
MAJOR   := $(firstword $(subst ., ,$(VERSION)))
RPATH   := $$ORIGIN:$$ORIGIN/$(shell realpath -m --relative-to='$(bindir)' '$(libdir)')

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
	-Wpointer-arith -Wwrite-strings -Wundef $(if $(filter 1,$(WERROR)),-Werror)
MODE_release := -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong
MODE_debug   := -O0 -g3
MODE_asan    := -O1 -g -fno-omit-frame-pointer -fsanitize=address
MODE_ubsan   := -O1 -g -fno-sanitize-recover=all -fsanitize=undefined
MODE_tsan    := -O1 -g -fsanitize=thread
MODE_fuzz    := -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=fuzzer-no-link,address,undefined
$(if $(MODE_$(MODE)),,$(error MODE=$(MODE) is none of release debug asan ubsan tsan fuzz))
SANITIZE := $(filter -fsanitize=%,$(MODE_$(MODE)))
SIM_SPEED := $(if $(filter release,$(MODE)),-O3,$(if $(SANITIZE),-O2)) $(if $(filter x86_64%,$(shell $(CC) -dumpmachine)),-mcx16) -ffp-contract=off

COMPILE_FLAGS := -std=c11 -D_GNU_SOURCE -U_FORTIFY_SOURCE -fPIC -pthread $(WARNINGS) $(MODE_$(MODE))
LINK_FLAGS    := -pthread $(or $(SANITIZE),-Wl$(,)-z$(,)defs) -Wl,-z,relro,-z,now
LIBS := -lmd -ldl -lpthread -lm

# ---- what there is ----
HASH := $(shell printf '%s' '$(CC) $(COMPILE_FLAGS) $(CFLAGS) $(LDFLAGS) $(PARTS) $(RPATH)' | cksum | cut -d' ' -f1)
B := $(BUILD_ROOT)/$(MODE)-$(HASH)
objects = $(patsubst %.c,$(B)/obj/%.o,$(1))

KERNELS  := $(sort $(wildcard kernels_src/*.h $(foreach d,kernels_src/* kernels_src/*/*,$d/*.cuh $d/*.cu)))
LIB_SRC  := $(sort $(foreach p,$(PARTS),$(wildcard src/$p/*.c src/$p/*/*.c)))
SIM_SRC  := $(sort $(wildcard src/sim/*/*.c src/sim/*/*/*.c))
CMD_SRC  := $(sort $(wildcard tools/jitreduce/*/*.c))
PUBLIC   := include/jitreduce.h $(sort $(wildcard include/jitreduce/*.h))
TEST_SRC := $(sort $(wildcard tests/unit/test_*.c tests/device/test_*.c tests/regress/test_*.c))
SUPPORT_SRC := $(filter-out %/fail_nth.c %/record_forms.c,$(sort $(wildcard tests/support/*/*.c)))
SCRIPTS  := $(sort $(filter-out tests/cli/run.sh tests/faults/run.sh,$(wildcard tests/cli/*.case tests/*/run.sh tests/house/test_*.sh tests/device/*.sh)))

EMBEDDED := $(if $(and $(wildcard src/program/sources.h),$(filter program,$(PARTS))),$(B)/obj/sources_data.o)
LIB_OBJ  := $(call objects,$(LIB_SRC)) $(EMBEDDED)
SIM_OBJ  := $(call objects,$(SIM_SRC))
BASE_OBJ := $(call objects,$(sort $(wildcard src/base/*.c)))
CMD_OBJ  := $(call objects,$(CMD_SRC))
TEST_BIN := $(patsubst tests/%.c,$(B)/tests/%,$(TEST_SRC))
BENCH_BIN := $(patsubst tools/bench/%.c,$(B)/bench/%,$(sort $(wildcard tools/bench/*_bench.c)))
BENCH_OBJ := $(call objects,tools/jitreduce/base/versions.c $(sort $(filter-out %_bench.c tools/bench/peer_%,$(wildcard tools/bench/*.c))))

LIB_A  := $(B)/libjitreduce.a
PARTS_A := $(B)/obj/libparts.a
LIB_SO := $(B)/libjitreduce.so.$(VERSION)
SIM_SO := $(B)/libjrsim.so
SIM_A  := $(B)/obj/libsim.a
SUPPORT_A := $(B)/obj/libsupport.a
COMMAND_A := $(B)/obj/libcommand.a
COMMAND := $(B)/jitreduce
PRODUCTS := $(if $(LIB_SRC),$(LIB_A) $(LIB_SO)) $(if $(SIM_SRC),$(SIM_SO)) $(if $(CMD_SRC),$(COMMAND))

Q := $(if $(filter 1,$(V)),,@)
# In front of a command: its name and what it makes are printed, or, with V=1, the command itself.
step = $(if $(filter 1,$(V)),,@printf '  %-8s %s\n' '$(1)' '$(2)';)
.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
.PHONY: all help demo check check-built check-unit check-whole check-build check-gpu check-nvrtc check-faults fuzz fuzz-run check-asan check-ubsan check-tsan lint analyze format bench results record deps \
	clean links FORCE

## all: build the library, the simulator and the command (the default)
all: $(PRODUCTS) links

## help: list the targets
help:
	@awk -F': ' '/^## / {sub(/^## /, ""); printf "  %-12s %s\n", $$1, substr($$0, length($$1) + 3)}' Makefile tools/*/*.mk

## demo: install what is missing, build, and reduce a real file
demo:
	@tools/dev/deps.sh --demo && $(MAKE) --no-print-directory all $(BUILD_ROOT)/demo/temperature.npy && tools/dev/demo.sh $(BUILD_ROOT)

# ---- how things are made ----
PART_FLAGS = -Iinclude -Isrc -Ikernels_src
$(B)/obj/src/%.o: PART_FLAGS = -Iinclude -Isrc -Ikernels_src -fvisibility=hidden
$(B)/obj/src/sim/%.o: PART_FLAGS = -Iinclude -Isrc $(SIM_SPEED) -fno-semantic-interposition
$(B)/obj/tools/jitreduce/%.o: PART_FLAGS = -Iinclude -Itools/jitreduce
$(B)/obj/tools/bench/%.o: PART_FLAGS = -Iinclude -Isrc -Ikernels_src -Itools/jitreduce

$(B)/obj/tests/%.o: | $(B)/.test-tools
$(B)/obj/%.o: %.c | $(B)/.build-tools
	@mkdir -p $(@D)
	$(call step,cc,$<) $(CC) $(COMPILE_FLAGS) $(PART_FLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/obj/sources_data.o: $(B)/obj/sources_data.c
	$(Q)$(CC) $(COMPILE_FLAGS) -Iinclude -Isrc $(CFLAGS) -MMD -MP -c -o $@ $<
$(B)/obj/sources_data.c: $(B)/obj/tools/dev/embed $(KERNELS) $(B)/sources
	$(call step,embed,kernels_src) $< $(KERNELS) >$@.$$$$ && mv $@.$$$$ $@
$(B)/obj/tools/dev/%: tools/dev/%.c | $(B)/.build-tools
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O1 $(WARNINGS) -o $@ $< -lmd -lm

# Archives and links are written beside their place and moved there, so that two makes at once do no harm.
$(PARTS_A): $(LIB_OBJ)
$(SIM_A): $(SIM_OBJ)
$(COMMAND_A): $(filter-out %/main.o,$(CMD_OBJ))
$(SUPPORT_A): $(call objects,$(SUPPORT_SRC))
$(PARTS_A) $(SIM_A) $(COMMAND_A) $(SUPPORT_A): $(B)/sources
	@mkdir -p $(@D)
	$(call step,ar,$@) rm -f $@.tmp.$$$$; $(AR) rcs $@.tmp.$$$$ $(filter %.o,$^) && mv $@.tmp.$$$$ $@

$(LIB_A): $(PARTS_A) $(PUBLIC) tools/dev/static.sh tools/dev/exports.sh
	$(call step,ar,$@) CC="$(firstword $(filter-out ccache,$(CC)))" AR='$(AR)' tools/dev/static.sh $(PARTS_A) $@
link = $(call step,link,$@) $(CC) $(LINK_FLAGS) $(1) -o $@.tmp.$$$$ $(2) $(LDFLAGS) && mv $@.tmp.$$$$ $@
$(LIB_SO): $(LIB_OBJ) $(B)/jitreduce.map
	$(call link,-shared -Wl$(,)-soname$(,)libjitreduce.so.$(MAJOR) -Wl$(,)--version-script=$(B)/jitreduce.map,$(LIB_OBJ) $(LIBS))
	$(Q)ln -sf libjitreduce.so.$(VERSION) $(B)/libjitreduce.so.$(MAJOR)
	$(Q)ln -sf libjitreduce.so.$(MAJOR) $(B)/libjitreduce.so
$(SIM_SO): $(SIM_OBJ) $(BASE_OBJ) $(B)/jrsim.map
	$(call link,-shared -Wl$(,)-soname$(,)libjrsim.so -Wl$(,)--version-script=$(B)/jrsim.map,$(SIM_OBJ) $(BASE_OBJ) $(LIBS))
$(COMMAND): $(filter %/main.o,$(CMD_OBJ)) $(COMMAND_A) $(LIB_SO)
	$(call link,-Wl$(,)-rpath$(,)'$(RPATH)',$(filter %.o %.a,$^) -L$(B) -ljitreduce -lz -lzstd -lm -ldl)

# The exported names: what the public headers declare with JR_API; what the simulator's seam lists.
$(B)/jitreduce.map: $(PUBLIC) tools/dev/exports.sh $(B)/sources
	$(Q)tools/dev/exports.sh map jitreduce >$@
$(B)/jrsim.map: src/loader/cuda_abi.h tools/dev/exports.sh $(B)/sources
	$(Q)tools/dev/exports.sh map jrsim >$@

# Changes when a source file comes or goes, so that nothing keeps a removed file's object.
$(B)/sources: FORCE
	@mkdir -p $(@D)
	@echo '$(LIB_SRC) $(SIM_SRC) $(CMD_SRC) $(SUPPORT_SRC) $(KERNELS) $(VERSION)' >$@.$$$$; cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@
# Says what is missing before the compiler does.
$(B)/.%-tools: tools/dev/deps.sh
	@mkdir -p $(@D)
	$(Q)CC=$(CC) tools/dev/deps.sh --look $* && touch $@

# Stable paths for people: build/jitreduce, build/libjitreduce.so, build/libjrsim.so, build/current.
links: $(PRODUCTS)
	@tools/dev/links.sh $(BUILD_ROOT) $(notdir $(B)) $(MODE)
$(BUILD_ROOT)/demo/temperature.npy: $(B)/obj/tools/dev/demo_data
	@mkdir -p $(@D)
	$(Q)$< >$@

# ---- tests ----
CHOSEN := $(if $(T),$(sort $(foreach t,$(T),$(foreach b,$(TEST_BIN) $(SCRIPTS),$(if $(findstring $t,$b),$b)))),$(TEST_BIN) $(SCRIPTS))
# The longest first, so that the others go on beside them.
LONGEST := tests/judge/% tests/device/exact_judge.sh tests/python/% tests/mpi/% tests/house/test_manual.sh tests/house/test_large_binary.sh $(B)/tests/regress/test_exact_% $(B)/tests/device/test_segmented_columns
WANTED := $(filter $(LONGEST),$(CHOSEN)) $(filter-out $(LONGEST),$(CHOSEN))
FAIL_NTH_BIN := $(patsubst tests/%.c,$(B)/tests/%,$(if $(TEST_SRC),$(shell grep -l '/\* link: fail_nth \*/' $(TEST_SRC))))
$(filter $(B)/tests/unit/test_cli_% $(B)/tests/regress/test_cli_%,$(TEST_BIN)): $(COMMAND_A)
FUZZ_BIN := $(patsubst tests/%.c,$(B)/tests/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
$(FUZZ_BIN): $(B)/obj/tests/fuzz/fuzz.o $(COMMAND_A) $(if $(filter fuzz,$(MODE)),,$(B)/obj/tests/fuzz/replay.o)
$(FUZZ_BIN): TEST_WRAP = $(if $(filter fuzz,$(MODE)),-fsanitize=fuzzer)
FAULTS := $(B)/tests/faults/command
$(FAULTS): $(filter %/main.o,$(CMD_OBJ)) $(COMMAND_A)
$(FAIL_NTH_BIN) $(FAULTS): $(B)/obj/tests/support/fakes/fail_nth.o tests/support/fakes/fail_nth.flags
$(FAIL_NTH_BIN) $(FAULTS): TEST_WRAP = $$(cat tests/support/fakes/fail_nth.flags)
$(B)/tests/%: $(B)/obj/tests/%.o $(PARTS_A) $(SUPPORT_A) $(SIM_A)
	@mkdir -p $(@D)
	$(call link,$(TEST_STRIP),$(filter %.o,$^) $(TEST_WRAP) -Wl$(,)--start-group $(filter %.a,$^) -Wl$(,)--end-group -lcmocka $(LIBS) $(if $(filter $(COMMAND_A),$^),-lz -lzstd))
	$(if $(filter 1,$(STATIC_DEPS)),$(Q)tools/dev/copy_libs.sh $@ $(B)/lib)

# Chosen programs need the simulator alone, so that they run while the command is in pieces; scripts need everything.
check-build: $(if $(if $(T),$(filter-out $(B)/%,$(WANTED)),all),all,$(if $(SIM_SRC),$(SIM_SO))) $(filter $(B)/%,$(WANTED)) \
	$(if $(findstring test_record.sh,$(WANTED)),$(B)/tests/support/ptx/record_forms) $(if $(findstring fuzz/run.sh,$(WANTED)),$(FUZZ_BIN)) $(if $(filter tests/house/test_scan_% %/test_bench_table.sh,$(WANTED)),$(addprefix $(B)/bench/,scan_bench tuned_bench)) $(if $(filter %/test_bench.sh,$(WANTED)),$(B)/bench/start_bench) $(if $(filter %/test_apply_bench.sh,$(WANTED)),$(B)/bench/apply_bench) $(if $(filter %/test_sim_bench.sh,$(WANTED)),$(B)/bench/sim_bench) $(if $(filter %/test_group_bench.sh,$(WANTED)),$(B)/bench/group_bench)
## check: install what tests need, build, and run every test on the simulator (T=word: only matching tests; COLD=1: compiles all kernels again)
check:
	+@$(if $(T),,tools/dev/deps.sh --check &&) $(MAKE) --no-print-directory check-built
check-built: check-build
	@COLD=$(COLD) tools/dev/run_tests.sh sim $(B) $(TEST_JOBS) $(TEST_TIMEOUT) $(WANTED)
## check-unit: the quick loop, about a minute: tests without a device
check-unit: ; @$(MAKE) --no-print-directory check T=tests/unit
## check-gpu: run tests/device, cli and judge on a real GPU (SANITIZER=memcheck: under compute-sanitizer)
check-gpu: check-build
	@SANITIZER=$(SANITIZER) tools/dev/check_gpu.sh $(B)
## check-nvrtc: compile and run a table of operators, types and layouts under each of NVRTC_VERSIONS, fetched by pip
NVRTC_VERSIONS ?= 12.0 12.4 12.8 12.9 13.0 newest
NVRTC_TESTS := device/test_nvrtc_table regress/test_compile_limit regress/test_expression_names regress/test_exact_lists
check-nvrtc: all $(NVRTC_TESTS:%=$(B)/tests/%)
	@tools/dev/check_nvrtc.sh $(B) $(BUILD_ROOT)/nvrtc "$(NVRTC_VERSIONS)" $(NVRTC_TESTS:%=$(B)/tests/%)
## fuzz: give every reader of what others wrote inputs of a fuzzer's making (clang), SECONDS=60 each (T=word: only these)
SECONDS ?= 60
fuzz:
	@$(MAKE) --no-print-directory MODE=fuzz CC=clang fuzz-run
fuzz-run: $(FUZZ_BIN)
	@T='$(T)' tools/dev/fuzz.sh $(B) $(SECONDS)
## check-faults: the command under every failing allocation, file, library, thread and driver call (long)
check-faults: all $(FAULTS)
	@tests/faults/walk.sh $(B)
## check-asan, check-ubsan, check-tsan: all tests with a sanitizer: addresses and leaks, undefined behaviour, threads
check-asan check-ubsan check-tsan:
	@$(MAKE) --no-print-directory MODE=$(@:check-%=%) check
## record: build the recorder of what a GPU makes of every PTX form: build/current/tests/support/ptx/record_forms FOLDER
$(B)/tests/support/ptx/record_forms: TEST_WRAP = -Wl,--as-needed
record: all $(B)/tests/support/ptx/record_forms
## lint: layout, style rules, clang-tidy, shellcheck, warnings of gcc and clang as errors
## analyze: what takes longer than lint: clang's analyzer and cppcheck
lint: all
lint analyze:
	@DEEP=$(if $(filter analyze,$@),1) tools/dev/lint.sh $(BUILD_ROOT)/$@ $(B)
## format: lay out all C files by .clang-format
format:
	$(Q)find include src tools tests -name '*.[ch]' -o -name '*.[ch]pp' | xargs clang-format -i
## deps: install what is missing, saying what and why (LINT=1: also what `make lint` needs; DOCS=1: `make docs`)
deps:
	@tools/dev/deps.sh $(if $(filter 1,$(LINT)),--lint) $(if $(filter 1,$(DOCS)),--docs)

# ---- installing and packages ----
include tools/dev/package.mk
## clean: remove all build folders
clean:
	rm -rf $(BUILD_ROOT)
-include tools/dev/tests.mk tools/bench/build.mk tools/python/build.mk tools/mpi/build.mk $(shell find $(B)/obj -name '*.d' 2>/dev/null)
