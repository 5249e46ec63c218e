/* What the last failure must tell. */
#ifndef TESTS_SUPPORT_TOLD_H
#define TESTS_SUPPORT_TOLD_H

/* The last error's message or log has this text; else the test fails with what they say. */
#define assert_told(text) told_assert((text), __FILE__, __LINE__)
void told_assert(const char *text, const char *file, int line);

#endif
