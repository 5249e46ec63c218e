/* The public pack functions (pack.h). */
#include "jitreduce/pack.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "given_work.h"
#include "guard.h"
#include "image/architecture.h"
#include "image/pack_file.h"
#include "kernel/pack.h"
#include "plan/needed.h"
#include "size.h"

jr_status jr_pack_create(const jr_options *options, const jr_pack_options *how, jr_pack **pack) {
    JR_GUARD_CALL;
    jr_options own = {0};
    jr_pack_options asked;
    JR_TRY(JR_GIVEN(how, pack));
    if (options != NULL) JR_TRY(jr_size_read(&jr_options_sized, options, &own));
    JR_TRY(jr_size_read(&jr_pack_options_sized, how, &asked));
    return jr_pack_open(&own, &asked, pack);
}

static jr_status add_program(void *user, jr_pack *pack, uint32_t architecture) {
    return jr_pack_take(pack, user, architecture);
}

jr_status jr_pack_add(jr_pack *pack, const jr_program *program) {
    JR_GUARD_CALL;
    jr_program own;
    JR_TRY(JR_GIVEN(pack, program));
    JR_TRY(jr_size_read(&jr_program_sized, program, &own));
    return jr_pack_each(pack, add_program, &own);
}

/* Where the programs of a spec go. */
typedef struct needed_place {
    jr_pack *pack;
    uint32_t architecture;
} needed_place;

static jr_status take(void *user, const jr_program *program) {
    const needed_place *place = user;
    return jr_pack_take(place->pack, program, place->architecture);
}

static jr_status add_needed(void *user, jr_pack *pack, uint32_t architecture) {
    needed_place place = {pack, architecture};
    return jr_needed_each(user, jr_architecture_number(pack->architectures[architecture]), take, &place);
}

jr_status jr_work_pack_add(jr_pack *pack, const jr_work *work) {
    JR_GUARD_CALL;
    static const jr_work_taker taker = {.name = "a pack",
                                        .scans = true,
                                        .segments = true,
                                        .segment_scans = true,
                                        .applies = true,
                                        .strides = true,
                                        .many = true};
    jr_own_work own = {.kind = JR_WORK_REDUCE};
    JR_TRY(JR_GIVEN(pack, work));
    JR_TRY(jr_given_work_read(work, &taker, &own));
    jr_needed needed = {.spec = &own.spec.spec, .job = jr_given_work_job(&own, NULL, NULL)};
    return jr_pack_each(pack, add_needed, &needed);
}

jr_status jr_pack_write(jr_pack *pack, const char *path) {
    JR_GUARD_CALL;
    uint64_t bytes;
    JR_TRY(JR_GIVEN(pack, path));
    if (path[0] == '\0') return jr_fail(JR_ERROR_INVALID_ARGUMENT, "path is empty: name the file to write");
    return jr_pack_store(pack, path, &bytes);
}

void jr_pack_destroy(jr_pack *pack) {
    JR_GUARD_CALL;
    jr_pack_free(pack);
}

/* "sm_80 sm_90" */
static void print_architectures(const jr_pack_file *file, char text[JR_PACK_TEXT_BYTES]) {
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t s = 0; s < file->section_count && length < JR_PACK_TEXT_BYTES; s++)
        length += (size_t)snprintf(text + length, JR_PACK_TEXT_BYTES - length, "%s%s", s > 0 ? " " : "",
                                   file->sections[s].architecture);
}

static void fill(const jr_pack_file *file, jr_pack_info *info) {
    *info = (jr_pack_info){.image_count = file->row_count, .bytes = file->bytes};
    snprintf(info->library, sizeof info->library, "%s", file->library);
    snprintf(info->compiler, sizeof info->compiler, "%s", file->compiler);
    print_architectures(file, info->architectures);
    for (uint32_t i = 0; i < file->row_count; i++) info->image_bytes += jr_pack_file_image_bytes(file, i);
}

jr_status jr_pack_look(const char *path, jr_pack_info *info) {
    JR_GUARD_CALL;
    jr_pack_file *file = NULL;
    jr_pack_info found;
    JR_TRY(JR_GIVEN(path, info));
    jr_status status = jr_size_check(&jr_pack_info_sized, info);
    if (status == JR_OK) status = jr_pack_file_open(path, &file);
    if (status == JR_OK) status = jr_pack_file_verify(file);
    if (status == JR_OK) {
        fill(file, &found);
        jr_size_write(&jr_pack_info_sized, &found, info);
    }
    jr_pack_file_close(file);
    return status;
}
