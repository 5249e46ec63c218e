/* What the tests of pack files share. */
#include "support/pack_file_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/error.h"
#include "support/told.h"

enum { CUBIN_BYTES = 300 };

const char *const pack_file_architectures[] = {"compute_80", "sm_80", "sm_86", "sm_90", "sm_90a"};
char pack_file_folder[SCRATCH_BYTES];
char pack_file_log[8192];

static void keep_line(void *user, jr_log_level level, const char *line) {
    (void)user, (void)level;
    const size_t length = strlen(pack_file_log);
    snprintf(pack_file_log + length, sizeof pack_file_log - length, "%s\n", line);
}

int pack_file_begin(void **state) {
    (void)state;
    scratch_make(pack_file_folder);
    pack_file_log[0] = '\0';
    jr_log_set(keep_line, NULL);
    return 0;
}

int pack_file_end(void **state) {
    (void)state;
    jr_log_set(NULL, NULL);
    scratch_remove(pack_file_folder);
    return 0;
}

static jr_key key_of(int number) {
    jr_key key;
    memset(&key, number, sizeof key);
    return key;
}

/* The image of a text for an architecture, as a pack holds it. */
static jr_image *image_of(int number, const char *architecture) {
    uint8_t key[JR_DIGEST_BYTES], cubin[CUBIN_BYTES];
    const jr_key text_key = key_of(number);
    memset(cubin, number, sizeof cubin);
    jr_pack_key(text_key.bytes, architecture, key);
    const jr_image_parts parts = {.key = key,
                                  .entry = "k",
                                  .architecture = architecture,
                                  .ptx = ".version 8.0\n",
                                  .ptx_bytes = sizeof ".version 8.0\n",
                                  .cubin = cubin,
                                  .cubin_bytes = sizeof cubin};
    jr_image *image = NULL;
    assert_int_equal(jr_image_make(&parts, &image), JR_OK);
    return image;
}

/* The order of items does not matter. */
const char *pack_file_of(const char *name, const char *const *names, uint32_t count, bool plain) {
    jr_pack_item items[PACK_FILE_ARCHITECTURES * PACK_FILE_IMAGES];
    uint32_t made = 0;
    uint64_t bytes = 0;
    for (int number = PACK_FILE_IMAGES; number > 0; number--)
        for (uint32_t a = 0; a < count; a++)
            items[made++] = (jr_pack_item){key_of(number), a, image_of(number, names[a])};
    const jr_pack_content content = {.architectures = names,
                                     .architecture_count = count,
                                     .items = items,
                                     .item_count = made,
                                     .compiler = "a compiler",
                                     .plain = plain};
    assert_int_equal(jr_pack_content_write(&content, pack_file_folder, name, &bytes), JR_OK);
    for (uint32_t i = 0; i < made; i++) jr_image_free(items[i].image);
    struct stat written;
    static char path[2 * SCRATCH_BYTES];
    snprintf(path, sizeof path, "%s/%s", pack_file_folder, name);
    assert_int_equal(stat(path, &written), 0);
    assert_int_equal(written.st_size, bytes);
    assert_int_equal(written.st_mode & 0777, 0600);
    return path;
}

jr_packs *pack_file_opened(const char *wish, int capability) {
    jr_packs *packs = NULL;
    if (jr_packs_open(wish, capability, &packs) != JR_OK) fail_msg("%s", jr_last_error()->message);
    return packs;
}

const char *pack_file_found(jr_packs *packs, int number) {
    static char architecture[64];
    const jr_key key = key_of(number);
    const char *path = NULL;
    jr_image *image = NULL;
    if (!jr_packs_read(packs, &key, &image, &path)) return "";
    assert_non_null(path);
    assert_int_equal(image->cubin_bytes, CUBIN_BYTES);
    for (int i = 0; i < CUBIN_BYTES; i++) assert_int_equal(((const uint8_t *)image->cubin)[i], number);
    snprintf(architecture, sizeof architecture, "%s", image->architecture);
    jr_image_free(image);
    return architecture;
}

void pack_file_refused(const char *path, jr_status status, const char *why) {
    jr_packs *packs = NULL;
    assert_int_equal(jr_packs_open(path, 90, &packs), status);
    assert_null(packs);
    assert_told(why);
}
