# The check of tests that take a sample.

## check-whole: the tests of which check takes a sample, whole (minutes)
SAMPLED = tests_(take|are_whole)\(|scan_takes\(|JR_TESTS|if whole;|chosen [0-9]
check-whole:
	@JR_TESTS=whole $(MAKE) --no-print-directory check TEST_TIMEOUT=7200 \
		T="judge/run.sh exact_judge python/run.sh $$(grep -lrE '$(SAMPLED)' tests --include='test_*.c' --include='*.sh' | sed 's,^tests/,,;s,\.c$$,,' | xargs)"
