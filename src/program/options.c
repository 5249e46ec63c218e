/* Checks options. */
#include "options.h"

#include <string.h>

#include "base/error.h"
#include "token.h"

/* Without their dashes, as NVRTC takes one or two. Source: NVRTC User Guide, "Supported Compile Options". */
static const char refused[] =
    "include-path include pre-include use-bundled-headers arch gpu-architecture gpu-code code ptx cubin dlto "
    "dlink-time-opt "
    "optix-ir pch create-pch use-pch pch-dir pch-verbose pch-messages instantiate-templates-in-pch time "
    "fdevice-time-trace device-as-default-execution-space-file no-source-include no-cache "
    "relocatable-device-code rdc device-c dc";

/* -I takes its folder without a space. */
static bool is_refused(const char *option) {
    const char *name = option + strspn(option, "-");
    return name[0] == 'I' || jr_token_is_one_of((jr_token){JR_TOKEN_WORD, name, strcspn(name, "= ")}, refused);
}

jr_status jr_options_check(const jr_program *program) {
    for (size_t i = 0; i < program->option_count; i++) {
        const char *option = program->options[i];
        if (option == NULL || option[0] != '-')
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "option '%s' of program %s does not begin with '-'",
                           option != NULL ? option : "(NULL)", program->name);
        if (is_refused(option))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "option '%s' of program %s is not allowed: files, architecture and output are chosen by the "
                           "library; pass headers as program.headers, folders as program.include_folders",
                           option, program->name);
    }
    return JR_OK;
}
