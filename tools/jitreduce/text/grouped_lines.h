/* Lines of a text that are one number with its digits in groups, which the comma would cut. */
#ifndef CLI_GROUPED_LINES_H
#define CLI_GROUPED_LINES_H

/* Finds the first line like 1,234 or 12,345.6 where all lines of [begin, end) are such numbers or have no comma, and
 * one of them has a first group of one or two digits: 100,200 may well be two numbers. NULL: the commas separate
 * numbers. */
const char *cli_find_grouped(const char *begin, const char *end);

#endif
