/* ELF files: reads facts about a library that might be loaded. */
#include "fuzz.h"
#include "loader/elf_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char id[41];
    const char *path = fuzz_file(data, size);
    (void)jr_elf_file_refusal(path);
    (void)jr_elf_build_id(path, id, sizeof id);
    return 0;
}
