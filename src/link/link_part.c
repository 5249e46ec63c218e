/* Tells parts apart. Source of the marks: ELF specification; nvFatbin's and NVRTC's output; ar(5). */
#include "link_part.h"

#include <string.h>

#include "base/error.h"
#include "base/little_endian.h"

static const char *const kind_names[] = {[JR_LINK_PTX] = "PTX",
                                         [JR_LINK_CUBIN] = "machine code (cubin)",
                                         [JR_LINK_LTO] = "LTO-IR",
                                         [JR_LINK_FATBIN] = "a fat binary",
                                         [JR_LINK_OBJECT] = "an object file",
                                         [JR_LINK_LIBRARY] = "a library"};

const char *jr_link_kind_name(jr_link_kind kind) {
    return kind_names[kind];
}

static bool begins(const unsigned char *data, size_t bytes, const char *mark, size_t count) {
    return bytes >= count && memcmp(data, mark, count) == 0;
}

/* PTX has .version before all but comments. */
static bool is_ptx(const char *text, size_t bytes) {
    size_t i = 0;
    while (i < bytes) {
        if (strchr(" \t\r\n", text[i]) != NULL && text[i] != '\0') {
            i++;
        } else if (bytes - i > 1 && text[i] == '/' && text[i + 1] == '/') {
            while (i < bytes && text[i] != '\n') i++;
        } else {
            return bytes - i > 8 && memcmp(text + i, ".version", 8) == 0;
        }
    }
    return false;
}

jr_status jr_link_part_read(const char *name, const void *data, size_t bytes, jr_link_part *part) {
    enum { MACHINE_AT = 18, MACHINE_CUDA = 190 };
    const unsigned char *at = data;
    if (data == NULL || bytes == 0) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%s is empty", name);
    jr_link_part read = {name, JR_LINK_PTX, data, bytes};
    if (begins(at, bytes,
               "\x7f"
               "ELF",
               4))
        read.kind = bytes > MACHINE_AT + 1 && jr_little_get(at + MACHINE_AT, 2) == MACHINE_CUDA ? JR_LINK_CUBIN
                                                                                                : JR_LINK_OBJECT;
    else if (begins(at, bytes, "\xed\x43\x4e\x7f", 4))
        read.kind = JR_LINK_LTO;
    else if (begins(at, bytes, "\x50\xed\x55\xba", 4))
        read.kind = JR_LINK_FATBIN;
    else if (begins(at, bytes, "!<arch>\n", 8))
        read.kind = JR_LINK_LIBRARY;
    else if (is_ptx(data, bytes))
        read.bytes = strnlen(data, bytes);
    else
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "%s is no PTX, cubin, LTO-IR, fat binary, object file or library (a CUDA source is given as a "
                       "program)",
                       name);
    *part = read;
    return JR_OK;
}

/* The part that the log names first; NULL: it names none. */
static const jr_link_part *find_blamed(const jr_link_part *parts, size_t count, const char *log) {
    const jr_link_part *blamed = NULL;
    const char *first = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *at = strstr(log, parts[i].name);
        if (at == NULL || (first != NULL && at >= first)) continue;
        first = at;
        blamed = &parts[i];
    }
    return blamed;
}

jr_status jr_link_fail(const jr_link_part *parts, size_t count, const jr_link_part *blamed, const char *log) {
    const char *said = log != NULL ? log + strspn(log, "\r\n ") : "";
    if (blamed == NULL) blamed = find_blamed(parts, count, said);
    return jr_fail_with(JR_ERROR_COMPILE, "", log, "%s%s%s%s does not link: %.*s", blamed != NULL ? blamed->name : "",
                        blamed != NULL ? " (" : "the list of parts",
                        blamed != NULL ? jr_link_kind_name(blamed->kind) : "", blamed != NULL ? ")" : "",
                        said[0] != '\0' ? (int)strcspn(said, "\r\n") : 27,
                        said[0] != '\0' ? said : "the linker does not say why");
}
