/* Prints the topics of help. Names of operators and types, and what is true of them, come from the library. */
#include "help_topic.h"

#include <stdbool.h>
#include <string.h>

#include "help_text.h"
#include "options/cli_operator.h"

static const char about_columns[] =
    "An expression is C for one value, on one line: no statements, assignments, pointers, indices or braces. It is\n"
    "compiled into the kernel; an error names the column.\n"
    "\n"
    "Columns of a table, in --map and --where\n"
    "    price * qty          a word that the expression does not know is a column of that name; the columns that are\n"
    "                         named are read, up to 4\n"
    "    `unit price` * `x`   backticks make a column of any name: of one with other characters, or one that the\n"
    "                         expression knows, as x, y, z, w, i, a function or the name of a --param\n"
    "    city == \"Berlin\"     a column compared with a text, in double or single quotes: == != < <= > >=, by bytes;\n"
    "                         \\\" is a quote. A missing text (--na) is unequal to all\n"
    "    x, y, z, w           the columns of --column, if it is given\n"
    "\n";
static const char about_expressions[] =
    "Options and their variables\n"
    "    --map EXPR        x, y, z, w: the elements; i: the index. Its value takes the place of x\n"
    "    --where EXPR      x, y, z, w, i. Only the elements for which it holds are used\n"
    "    --combine EXPR    a, b: two values. The operator; it must be associative\n"
    "    --identity EXPR   none. The value that --combine leaves unchanged\n"
    "    --finish EXPR     a: the result; n: the number of all elements. Its value is printed\n"
    "\n"
    "Constants: INFINITY NAN, numbers as in C (1, 0x10, 1.5f), and the names of --param\n"
    "Types: those of C, as in (float)x; make_float2(...) and its like make vectors; --struct declares types of your "
    "own\n"
    "\n"
    "Functions of double; with an f at the end, as sqrtf, of float\n"
    "  acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf\n"
    "  erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin fmod hypot ilogb j0 j1 ldexp\n"
    "  lgamma llrint llround log log10 log1p log2 logb lrint lround nearbyint nextafter norm3d norm4d normcdf\n"
    "  normcdfinv pow rcbrt remainder rhypot rint rnorm3d rnorm4d round rsqrt scalbln scalbn sin sinh sinpi sqrt\n"
    "  tan tanh tgamma trunc y0 y1\n"
    "Functions without a form for float\n"
    "  abs fdividef isfinite isinf isnan labs llabs llmax llmin max min signbit ullmax ullmin umax umin\n"
    "A function of double whose arguments are all floats is the one of float.\n"
    "\n"
    "Types of values\n"
    "  i8 u8 i16 u16 bool are int; f16 bf16 e4m3 e5m2 are float; i and n are signed 64-bit integers.\n"
    "  The division of two integers is that of integers; text without --type is read as f64 if an expression divides,\n"
    "  but stays whole beside % & | ^ << >> ~ on an element: a note says that / cuts then.\n"
    "  Whole constants are int: 1/2 is 0 (a note), 1000000 * 1000000 is refused: write 1000000.0 or 1000000LL.\n"
    "  A float stays a float: the value of --map has the widest type of the inputs, or f64 if a float is computed "
    "from\n"
    "  integers. --map-type and --result choose another type.\n"
    "\n"
    "Refused, with what to write\n"
    "  x ** 2, and x ^ 2 of floats (x*x or pow(x, 2)); x % 2 of floats (fmod(x, 2)); 1 < x < 3 (1 < x && x < 3);\n"
    "  x & 1 == 0 ((x & 1) == 0); !x == 3 (!(x == 3)); and, or, not (&& || !); y without a second input; a text\n"
    "  beside another sign than those that compare\n"
    "\n"
    "Limits\n"
    "  4096 bytes and 1024 words, numbers and signs per expression; 128 levels of nesting; a weight of 8000 for all\n"
    "  expressions together: an operator weighs 1, a comparison 4, ?: 8, a quotient 32, exp 59, sin 207, pow 274.\n"
    "\n"
    "Examples\n"
    "  jitreduce --map 'x * x' --finish 'sqrt(a / n)' data.npy           root mean square\n"
    "  jitreduce --map 'price * qty' --where 'city == \"Berlin\"' t.csv    columns by their names\n"
    "  jitreduce --map 'fabs(x - y)' --op max a.npy -y b.npy             largest difference of two arrays\n"
    "  jitreduce --where 'x > low && i % 2 == 0' --param low=0.5 data.npy   sum of some elements\n"
    "  jitreduce --op argmax --map 'x == x ? x : -INFINITY' data.npy     index of the largest number\n"
    "  jitreduce --combine 'fmin(a, b)' --identity INFINITY --commutative data.npy       an operator of your own\n"
    "  jitreduce --struct 'struct pair { float key; int id; }; __device__ pair worst() { return {-1.0f, 0}; }' \\\n"
    "      --combine 'a.key > b.key ? a : b' --identity 'worst()' pairs.bin               an operator on structs\n";

static void print_expressions(FILE *out) {
    fputs(about_columns, out);
    fputs(about_expressions, out);
}

/* The type of an operator's result over elements of a type; "-": it does not take them. */
static const char *result_of(jr_op op, jr_type type) {
    const bool dot = op == JR_OP_DOT;
    const jr_spec spec =
        JR_INIT(jr_spec, .op = op, .type = type, .input_count = dot ? 2 : 1, .more_types = {dot ? type : JR_TYPE_NONE});
    jr_type result;
    if (op == JR_OP_CUSTOM) return "element";
    return jr_reduce_check(&spec, &result) == JR_OK ? jr_type_name(result) : "-";
}

static const char *yes_or_no(unsigned flags, jr_op_flag flag) {
    return flags & (unsigned)flag ? "yes" : "no";
}

static void print_operator(FILE *out, jr_op op) {
    const unsigned flags = jr_op_flags(op);
    fprintf(out, "  %-14s%-9s%-9s%-9s%-11s%-10s%s\n", jr_op_name(op), result_of(op, JR_I32), result_of(op, JR_U8),
            result_of(op, JR_F32), yes_or_no(flags, JR_OP_FLAG_INITIAL),
            flags & JR_OP_FLAG_NO_EMPTY ? "an error" : "a value", cli_operator_of(op)->meaning);
}

static void print_heads(FILE *out) {
    fprintf(out, "  %-14s%-9s%-9s%-9s%-11s%-10s%s\n", "operator", "of i32", "of u8", "of f32", "--initial", "of empty",
            "meaning");
}

bool cli_topic_print_operator(FILE *out, const char *name) {
    jr_op op;
    if (jr_op_find(name, &op) != JR_OK) return false;
    print_heads(out);
    print_operator(out, op);
    return true;
}

static void print_operators(FILE *out) {
#define OPERATOR(name, number, text) JR_OP_##name,
    static const jr_op ops[] = {JR_OPS(OPERATOR)};
#undef OPERATOR
    fputs("--op OP[,OP...] (default: sum). A list is computed in one pass over the data.\n\n", out);
    print_heads(out);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) print_operator(out, ops[i]);
    fputs(
        "\n"
        "of i32, of u8, of f32: the type of the result for elements of that type; -: does not take them.\n"
        "--initial: takes an initial value. of empty: what an input without elements gives.\n"
        "--accumulate and --result choose other types; --nan ignore skips NaNs; --accuracy exact and reproducible\n"
        "make results that every device gives bit for bit. minmax stands for min,max; count, alone or at the end of a\n"
        "list, prints the number of elements. There is no median: it is not a reduction.\n"
        "\n"
        "Examples\n"
        "  jitreduce --op min,max,mean data.npy             three values from one pass\n"
        "  jitreduce --op std --ddof 1 --column price t.csv sample standard deviation of a column\n"
        "  jitreduce --op dot a.npy -y b.npy                sum of products of two arrays\n",
        out);
}

static const char *class_text(jr_type type) {
    switch (jr_type_class_of(type)) {
    case JR_CLASS_SIGNED: return "signed integer";
    case JR_CLASS_UNSIGNED: return "unsigned integer";
    case JR_CLASS_BOOLEAN: return "boolean";
    case JR_CLASS_FLOAT: return "float";
    case JR_CLASS_NONE: break;
    }
    return "";
}

static void print_formats(FILE *out) {
#define TYPE(name, number, text) JR_##name,
    static const jr_type types[] = {JR_TYPES(TYPE)};
#undef TYPE
    fprintf(out, "%s\nElement types (--type)\n", cli_help_inputs);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        fprintf(out, "  %-6s %zu byte%s %s\n", jr_type_name(types[i]), jr_type_size(types[i]),
                jr_type_size(types[i]) == 1 ? "   " : "s  ", class_text(types[i]));
    fputs(
        "\n"
        "Tables and groups\n"
        "    --column price --group-by city    one line per key, sorted, wherever its lines are\n"
        "    --column price --keys city        one line per run of equal neighbouring keys; scan begins again at each\n"
        "    --op 'sum(price),max(qty),count'  operators of different columns, in one pass\n"
        "    --column '*', --column 2-5        each column is reduced: one line per column\n"
        "    --op sum,count                    and how many elements each has; without elements mean, min and max are "
        "nan\n"
        "\n"
        "Output\n"
        "    default       the value; one line per result for lists, segments, axes and scans\n"
        "    --csv         comma-separated values below a line of names\n"
        "    --json        one JSON object\n"
        "    -o FILE       .npy: an array; .csv .tsv .json .txt: as their names say; whole or not at all\n"
        "    structs       {2, 1.5}: the members in their order; in JSON an object with their names\n"
        "Floats are printed with the fewest digits that read back as the same number; --round N and --format '%.2f'\n"
        "print fewer.\n"
        "\n"
        "Examples\n"
        "  jitreduce --map 'price * quantity' sales.csv                 columns by name\n"
        "  jitreduce --column 2 --delimiter ';' --decimal , --na NA table.csv.gz\n"
        "  jitreduce --format raw --type f32 samples.bin                elements in this machine's byte order\n"
        "  jitreduce --axis 0 -o sums.npy data.npy                      into an array\n",
        out);
}

const cli_topic cli_topic_table[] = {
    {"expressions", "expression expr exprs functions",
     "variables, functions, types and limits of --map, --where, --combine, --finish", print_expressions},
    {"operators", "operator ops", "every operator, its types, and what it returns for an empty input", print_operators},
    {"formats", "format files csv tsv table tables columns groups group text npy types input output",
     "formats of input and output, and element types", print_formats},
};
const int cli_topic_count = sizeof cli_topic_table / sizeof *cli_topic_table;

static bool has_word(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = words; length > 0 && (at = strstr(at, word)) != NULL; at++)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

const cli_topic *cli_topic_find(const char *name) {
    for (int i = 0; i < cli_topic_count; i++)
        if (strcmp(cli_topic_table[i].name, name) == 0 || has_word(cli_topic_table[i].others, name))
            return &cli_topic_table[i];
    return NULL;
}
