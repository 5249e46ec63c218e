/* Lines of a text whose numbers the comma would cut: with digits in groups, or with decimal commas. */
#ifndef CLI_GROUPED_LINES_H
#define CLI_GROUPED_LINES_H

/* Finds the first line like 1,234 or 12,345.6 where all lines of [begin, end) are such numbers or have no comma, and
 * one of them has a first group of one or two digits: 100,200 may well be two numbers. NULL: the commas separate
 * numbers. */
const char *cli_find_grouped(const char *begin, const char *end);

/* Finds the first line whose numbers have decimal commas: several, each with one comma between digits (1,5 2,5), or one
 * with points between groups of digits (1.000,5). NULL: no line shows that, or a comma stands elsewhere, too. */
const char *cli_find_decimal(const char *begin, const char *end);

#endif
