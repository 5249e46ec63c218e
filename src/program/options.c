/* Checks options. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "expression/token.h"

/* What is refused, without dashes, as NVRTC takes one or two, and why. Source: NVRTC User Guide, "Supported Compile
 * Options". */
static const struct {
    const char *names, *reason;
} refused[] = {
    {"I include-path use-bundled-headers",
     "what a folder holds would not be in the cache's key: name folders as program.include_folders (jitreduce run: -I "
     "FOLDER), the CUDA toolkit's headers by toolkit_headers"},
    {"include pre-include",
     "what the file holds would not be in the cache's key: include it in the source, as one of program.headers or from "
     "program.include_folders"},
    {"arch gpu-architecture gpu-code code", "the architecture is the device's; jr_image_compile takes another one"},
    {"ptx cubin dlto dlink-time-opt gen-opt-lto optix-ir relocatable-device-code rdc device-c dc",
     "the library chooses the output: jr_image_link compiles what is to be linked so"},
    {"pch create-pch use-pch pch-dir pch-verbose pch-messages instantiate-templates-in-pch",
     "the library makes and uses precompiled headers itself (manual: kernel.md)"},
    {"time fdevice-time-trace", "it writes a file, and only where the kernel is not in the cache"},
    {"no-source-include no-cache", "the library gives it itself"},
    {"device-as-default-execution-space-file", "it names a file that is not in the cache's key"},
};

/* -I takes its folder without a space. */
static const char *reason_of(const char *option) {
    const char *name = option + strspn(option, "-");
    const jr_token word = {JR_TOKEN_WORD, name, strcspn(name, "= ")};
    if (name[0] == 'I') return refused[0].reason;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (jr_token_is_one_of(word, refused[i].names)) return refused[i].reason;
    return NULL;
}

jr_status jr_options_check(const jr_program *program) {
    for (size_t i = 0; i < program->option_count; i++) {
        const char *option = program->options[i];
        if (option == NULL)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "options[%zu] of program %s is NULL", i, program->name);
        if (option[0] != '-')
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "option '%s' of program %s does not begin with '-'", option,
                           program->name);
        const char *reason = reason_of(option);
        if (reason != NULL)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "option '%s' of program %s is not allowed: %s", option,
                           program->name, reason);
    }
    return JR_OK;
}

bool jr_options_decide_lines(const jr_program *program) {
    for (size_t i = 0; i < program->option_count; i++) {
        const char *name = program->options[i] + strspn(program->options[i], "-");
        const jr_token word = {JR_TOKEN_WORD, name, strcspn(name, "= ")};
        if (jr_token_is_one_of(word, "generate-line-info lineinfo device-debug G")) return true;
    }
    return false;
}

int jr_options_standard(const jr_program *program) {
    int standard = 0;
    for (size_t i = 0; i < program->option_count; i++) {
        const char *name = program->options[i] + strspn(program->options[i], "-");
        if (strncmp(name, "std", 3) != 0) continue;
        name += strcspn(name, "+");
        standard = (int)strtol(name + strspn(name, "+"), NULL, 10);
        if (standard == 0) standard = JR_STANDARD_DEFAULT; /* of a name that NVRTC has yet to judge */
    }
    return standard;
}
