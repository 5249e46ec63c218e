/* The lexemes of C++ text, as NVRTC cuts it: where a comment, a literal, a number or a word ends. */
#ifndef JR_PROGRAM_LEXEMES_H
#define JR_PROGRAM_LEXEMES_H

#include <stdbool.h>
#include <stddef.h>

/* What differs between C++ standards. NVRTC knows trigraphs up to C++14, raw strings since C++11, digit separators
 * since C++14. */
typedef struct jr_lexing {
    bool raw_strings, separators, trigraphs;
} jr_lexing;

enum { JR_LEXEME_WORD_BYTES = 256 };

/* standard: 3, 11, 14, 17, 20. */
jr_lexing jr_lexing_of(int standard);

/* Past a byte order mark of UTF-8, as editors put before a text; NVRTC would not compile it. */
const char *jr_lexeme_past_mark(const char *text);

/* The length of a line splice that stands here; 0: none does. Blanks between backslash and line end make it none. */
size_t jr_lexeme_splice(const jr_lexing *lexing, const char *at);

/* Past a comment; `at` when none begins here. */
const char *jr_lexeme_past_comment(const jr_lexing *lexing, const char *at);

/* Past blanks, splices and comments, up to the end of the line. */
const char *jr_lexeme_past_blanks(const jr_lexing *lexing, const char *at);

/* Reads a word, spelled with splices or not; false: none stands here. One that is too long for `word` is cut off. */
bool jr_lexeme_word(const jr_lexing *lexing, const char *at, char word[JR_LEXEME_WORD_BYTES], const char **end);

/* Past what stands here: a literal, also a raw one over several lines, a number, a word, else one character. A literal
 * that is not closed ends with its line. */
const char *jr_lexeme_end(const jr_lexing *lexing, const char *at);

#endif
