/* Parts a command line into its works. */
#include "works.h"

bool cli_works_at(const cli_options *options, int index, cli_options *own) {
    const int lists = options->bench.one_pass ? 1 : options->op_count;
    const int types = options->type_count > 0 ? options->type_count : 1;
    if (index >= lists * types) return false;
    *own = *options;
    own->spec.type = options->type_count > 0 ? options->types[index % types] : JR_F32;
    if (!options->bench.one_pass) {
        own->ops[0] = options->ops[index / types];
        own->op_count = 1;
    }
    return true;
}

const cli_sizes *cli_works_sizes(const cli_options *options, const char *list, cli_sizes *chosen) {
    cli_error unused;
    if (options->sizes.count > 0) return &options->sizes;
    (void)cli_sizes_parse(list, chosen, &unused);
    return chosen;
}

cli_exit cli_works_request(const cli_options *own, cli_request *request, cli_error *error) {
    const jr_type types[JR_INPUTS_MAX] = {own->spec.type, own->spec.type};
    const cli_exit code = cli_request_make(own, types, own->ops[0] == JR_OP_DOT ? 2 : 1, request, error);
    return code == CLI_FAILURE ? CLI_USAGE : code;
}
