/* Reads NVRTC's log for the faults that a caller can cure with what the library knows. */
#include "program_fault.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/settings.h"
#include "base/text.h"
#include "headers/standard_headers.h"
#include "program/entries.h"
#include "program/kernel_names.h"
#include "program/options.h"

enum { HEADER_BYTES = 256 };

/* The header that NVRTC's log misses; false: it misses none. */
static bool names_missing(const char *log, char header[HEADER_BYTES]) {
    static const char says[] = "open source file \"";
    const char *found = log != NULL ? strstr(log, says) : NULL;
    if (found == NULL) return false;
    found += sizeof says - 1;
    snprintf(header, HEADER_BYTES, "%.*s", (int)strcspn(found, "\"\n"), found);
    return true;
}

/* Is it none, but what an include was made that is not followed? */
static bool is_unread(const char *header) {
    static const char says[] = "jitreduce reads no header";
    return strncmp(header, says, sizeof says - 1) == 0;
}

/* What a caller can do about a missing header. */
static const char *cure_of(const jr_program *program, const char *header) {
    if (is_unread(header))
        return "; what it holds must be in the cache's key: give its text as one of program.headers, or name its "
               "folder "
               "in program.include_folders (jitreduce run: -I FOLDER) and include it by its path there";
    if (jr_standard_header_is_for_hosts(header))
        return "; that header of the standard library is for host code, and a kernel cannot use it";
    if (program->toolkit_headers == 0 && jr_standard_header_find(header) < jr_standard_header_count)
        return "; NVRTC has no standard library: set program.toolkit_headers to 1 (Python: toolkit_headers=True), "
               "which "
               "finds it by the CUDA toolkit's cuda/std";
    return "; folders are searched that program.include_folders names (jitreduce run: -I FOLDER), and the CUDA "
           "toolkit's "
           "with program.toolkit_headers = 1";
}

static jr_status fault_header(const jr_attempt *attempt, const char *header) {
    const jr_program *program = attempt->text->program;
    const jr_headers *headers = attempt->headers;
    const char *name = attempt->nvrtc->nvrtcGetErrorString(attempt->result);
    const char *cure = cure_of(program, header);
    if (is_unread(header))
        return jr_fail_with(JR_ERROR_COMPILE, name, attempt->log, "program %s%s%s%s: %s%s", program->name,
                            JR_ENTRY_WORDS(program->entry, ""), header, cure);
    const char *folder = jr_setting_get(JR_SETTING_TOOLKIT);
    if (headers != NULL && headers->lacks_toolkit && folder != NULL)
        return jr_fail_with(
            JR_ERROR_FILE, name, attempt->log,
            "program %s includes %s and asks for the CUDA toolkit's headers (toolkit_headers = 1), but cuda_fp16.h is "
            "not in the folder of JITREDUCE_TOOLKIT, '%s': name the folder that has it, or unset the variable",
            program->name, header, folder);
    if (headers != NULL && headers->lacks_toolkit)
        return jr_fail_with(
            JR_ERROR_FILE, name, attempt->log,
            "program %s includes %s and asks for the CUDA toolkit's headers (toolkit_headers = 1), but cuda_fp16.h was "
            "not "
            "found next to "
            "NVRTC %s, in CUDA_HOME, CUDA_PATH, /usr/local/cuda, /opt/cuda or /usr/include: install them (`pip install "
            "nvidia-cuda-runtime nvidia-cuda-cccl` next to NVRTC's package), or use NVRTC 13.3 or newer with a disk "
            "cache, which brings its own",
            program->name, header, attempt->nvrtc->about.path);
    if (headers != NULL && headers->searched[0] != '\0')
        return jr_fail_with(JR_ERROR_COMPILE, name, attempt->log,
                            "program %s%s%s%s includes %s, which is in none of its folders: %s%s", program->name,
                            JR_ENTRY_WORDS(program->entry, ","), header, headers->searched, cure);
    return jr_fail_with(
        JR_ERROR_COMPILE, name, attempt->log,
        "program %s%s%s%s includes %s, which is not one of its headers, and the program has no include folders%s",
        program->name, JR_ENTRY_WORDS(program->entry, ","), header, cure);
}

/* Is NVRTC's first error that of the name of the entry? It compiles the entry as a line of a file of its own. */
static bool blames_entry(const char *log) {
    const char *error = log != NULL ? strstr(log, "error: ") : NULL, *line = error;
    static const char file[] = "__nv_name_map";
    while (line != NULL && line > log && line[-1] != '\n') line--;
    return line != NULL && strncmp(line, file, sizeof file - 1) == 0;
}

/* The entry that NVRTC's log has first: the line below its error repeats the name. */
static void find_blamed(const jr_attempt *attempt, char *entry, size_t room) {
    static const char says[] = "#pragma nv_mangled_name ";
    const char *all = attempt->text->program->entry, *log = attempt->log;
    const char *found = log != NULL && jr_entries_several(all) ? strstr(log, says) : NULL;
    if (found != NULL)
        snprintf(entry, room, "%.*s", (int)strcspn(found + sizeof says - 1, "\n"), found + sizeof says - 1);
    else
        snprintf(entry, room, "%s", all);
}

/* What the source has instead of the entry. */
static void tell_kernels(const jr_program *program, const char *entry, jr_text *text) {
    const int standard = jr_options_standard(program);
    jr_kernel_names names;
    jr_kernel_names_find(program->source, standard > 0 ? standard : JR_STANDARD_DEFAULT, &names);
    const jr_declared_kernel *nearest = jr_kernel_names_nearest(&names, entry);
    if (nearest != NULL && nearest->is_template)
        jr_text_append(text, "; %s is a template: name an instance, as \"%s<float>\", with arguments that fit it",
                       nearest->text, nearest->text);
    else if (nearest != NULL && strcmp(nearest->text, entry) != 0)
        jr_text_append(text, "; did you mean %s?", nearest->text);
    if (names.count == 0) {
        jr_text_append(text, "; its source declares no __global__ function (is a comment left open?)");
        return;
    }
    jr_text_append(text, "; the kernels of its source: ");
    jr_kernel_names_append(&names, text);
}

/* For an error in the arguments of an instance, such as "add<floot>", NVRTC's log has more detail. */
jr_status jr_program_fault_entry(const jr_attempt *attempt) {
    const jr_program *program = attempt->text->program;
    const char *log = strchr(program->entry, '<') != NULL ? attempt->log : "";
    char entry[1024];
    jr_text text = {0};
    find_blamed(attempt, entry, sizeof entry);
    tell_kernels(program, entry, &text);
    const jr_status status = jr_fail_with(JR_ERROR_COMPILE, "", log, "program %s has no kernel %s%s", program->name,
                                          entry, jr_text_string(&text));
    jr_text_free(&text);
    return status;
}

/* The text of the constant of this name; NULL: the program has no such constant. */
static const char *constant_text(const jr_program *program, const char *name, size_t length) {
    for (size_t i = 0; i < program->constant_count; i++)
        if (strlen(program->constants[i].name) == length && strncmp(program->constants[i].name, name, length) == 0)
            return program->constants[i].text;
    return NULL;
}

jr_status jr_program_fault_constant(const jr_attempt *attempt) {
    static const char says[] = "incompatible redefinition of macro \"";
    const jr_program *program = attempt->text->program;
    for (const char *at = attempt->log; at != NULL && (at = strstr(at, says)) != NULL;) {
        const char *line = at, *name = at + sizeof says - 1;
        const size_t length = strcspn(name, "\"\n");
        const char *text = constant_text(program, name, length);
        at = name;
        if (text == NULL) continue;
        while (line > attempt->log && line[-1] != '\n') line--;
        return jr_fail_with(JR_ERROR_COMPILE, "", attempt->log,
                            "program %s: the constant %.*s is %s, but %.*s defines it again, and that would win: put "
                            "#ifndef %.*s before the definition, or leave the constant out",
                            program->name, (int)length, name, text, (int)strcspn(line, ":\n"), line, (int)length, name);
    }
    return JR_OK;
}

jr_status jr_program_fault(const jr_attempt *attempt) {
    const jr_program *program = attempt->text->program;
    char header[HEADER_BYTES];
    if (names_missing(attempt->log, header)) return fault_header(attempt, header);
    if (blames_entry(attempt->log)) return jr_program_fault_entry(attempt);
    return jr_fail_with(JR_ERROR_COMPILE, attempt->nvrtc->nvrtcGetErrorString(attempt->result), attempt->log,
                        "program %s%s%s%s does not compile: see the log", program->name,
                        JR_ENTRY_WORDS(program->entry, ","));
}
