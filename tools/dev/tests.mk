# How test programs are made, and the check of which others take a sample.

# They are many and short: without optimisation they compile in a third of the time, without debug data they link in two
# thirds. What all of them share is as fast as the library.
TEST_SPEED := $(if $(filter release,$(MODE)),-U_FORTIFY_SOURCE -O0)
TEST_STRIP := $(if $(filter release,$(MODE)),-Wl$(,)-S)
TEST_INCLUDES := -Iinclude -Isrc -Ikernels_src -Itests -Itools/jitreduce
$(B)/obj/tests/support/%.o: PART_FLAGS = $(TEST_INCLUDES)
$(B)/obj/tests/%.o: PART_FLAGS = $(TEST_INCLUDES) $(TEST_SPEED)

## check-whole: the tests of which check takes a sample, whole (minutes)
SAMPLED = tests_(take|are_whole)\(|scan_takes\(|JR_TESTS|if whole;|chosen [0-9]
check-whole:
	@JR_TESTS=whole $(MAKE) --no-print-directory check TEST_TIMEOUT=7200 \
		T="judge/run.sh exact_judge python/run.sh $$(grep -lrE '$(SAMPLED)' tests --include='test_*.c' --include='*.sh' | sed 's,^tests/,,;s,\.c$$,,' | xargs)"
