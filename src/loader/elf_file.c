/* ELF headers and notes of a file, read with every offset checked: the file may be anything. */
#include "elf_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#else
#error "jitreduce runs where NVIDIA's 64-bit drivers do: x86-64 and AArch64"
#endif

enum { SEGMENTS_MAX = 128, NOTES_BYTES_MAX = 64 * 1024 };

static bool read_at(int file, void *out, size_t count, uint64_t offset) {
    if (offset > INT64_MAX) return false;
    ssize_t got;
    do got = pread(file, out, count, (off_t)offset);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)count;
}

/* O_NONBLOCK: opening a pipe or a device must not wait. */
static int open_regular(const char *path, const char **refusal) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (file < 0) {
        *refusal = strerror(errno);
        return -1;
    }
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
    *refusal = "not a regular file";
    close(file);
    return -1;
}

static const char *header_refusal(int file, Elf64_Ehdr *header) {
    if (!read_at(file, header, sizeof *header, 0)) return "not an ELF file (too short)";
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return "not an ELF file";
    if (header->e_ident[EI_CLASS] != ELFCLASS64) return "not a 64-bit library";
    if (header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_machine != OUR_MACHINE)
        return "a library for another processor";
    if (header->e_type != ET_DYN) return "not a shared library";
    return NULL;
}

const char *jr_elf_file_refusal(const char *path) {
    const char *refusal = NULL;
    int file = open_regular(path, &refusal);
    if (file < 0) return refusal;
    Elf64_Ehdr header;
    refusal = header_refusal(file, &header);
    close(file);
    return refusal;
}

static size_t round_up(size_t value, size_t alignment) {
    return (value + alignment - 1) & ~(alignment - 1);
}

/* Finds the build id among the notes; its bytes, or NULL. Notes: header, name, descriptor, each padded. */
static const uint8_t *notes_build_id(const uint8_t *notes, size_t count, size_t alignment, size_t *id_bytes) {
    size_t at = 0;
    while (count - at >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr note;
        memcpy(&note, notes + at, sizeof note);
        size_t name = at + sizeof note;
        if (note.n_namesz > count || note.n_descsz > count) return NULL;
        size_t descriptor = name + round_up(note.n_namesz, alignment);
        size_t next = descriptor + round_up(note.n_descsz, alignment);
        if (descriptor > count || note.n_descsz > count - descriptor) return NULL;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(notes + name, "GNU", 4) && note.n_descsz) {
            *id_bytes = note.n_descsz;
            return notes + descriptor;
        }
        if (next > count) return NULL;
        at = next;
    }
    return NULL;
}

static bool segment_build_id(int file, const Elf64_Phdr *segment, char *out, size_t bytes) {
    if (segment->p_type != PT_NOTE || segment->p_filesz == 0 || segment->p_filesz > NOTES_BYTES_MAX) return false;
    size_t count = (size_t)segment->p_filesz, id_bytes = 0;
    uint8_t *notes = malloc(count);
    if (!notes) return false;
    const uint8_t *id = NULL;
    if (read_at(file, notes, count, segment->p_offset))
        id = notes_build_id(notes, count, segment->p_align == 8 ? 8 : 4, &id_bytes);
    bool found = id && id_bytes <= 32 && bytes > 2 * id_bytes;
    for (size_t i = 0; found && i < id_bytes; i++) snprintf(out + 2 * i, 3, "%02x", id[i]);
    free(notes);
    return found;
}

bool jr_elf_build_id(const char *path, char *out, size_t bytes) {
    const char *refusal = NULL;
    int file = open_regular(path, &refusal);
    if (file < 0) return false;
    Elf64_Ehdr header;
    bool found = false;
    Elf64_Phdr segments[SEGMENTS_MAX];
    const bool usable = !header_refusal(file, &header) && header.e_phentsize == sizeof *segments;
    const size_t count = !usable ? 0 : header.e_phnum < SEGMENTS_MAX ? header.e_phnum : SEGMENTS_MAX;
    const bool read = usable && read_at(file, segments, count * sizeof *segments, header.e_phoff);
    for (size_t i = 0; read && !found && i < count; i++) found = segment_build_id(file, &segments[i], out, bytes);
    close(file);
    return found;
}
