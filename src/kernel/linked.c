/* Compiles, keys, links and keeps. */
#include "linked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "image/architecture.h"
#include "image/ptx_text.h"
#include "kernel.h"
#include "link/cubin_symbols.h"
#include "link/link_cubin.h"
#include "link/merge_ptx.h"
#include "link/strong_names.h"
#include "program/entries.h"

/* One link. */
typedef struct linking {
    jr_context *context;
    const jr_link_input *inputs;
    size_t count;
    const char *entry; /* NULL: all kernels */
    char architecture[JR_ARCHITECTURE_BYTES];
    bool to_ptx;
    jr_linker linker; /* of machine code */
    jr_link_part *parts;
    jr_image **images; /* of programs */
    jr_key key;
} linking;

/* ---- what is linked ---- */

static jr_status choose_architecture(linking *it, const char *wanted) {
    const jr_device_info *info = &it->context->device.info;
    if (wanted == NULL)
        snprintf(it->architecture, sizeof it->architecture, "%s_%d%d", info->simulated ? "compute" : "sm",
                 info->capability_major, info->capability_minor);
    else if (jr_architecture_number(wanted) == 0 || strlen(wanted) >= sizeof it->architecture)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "architecture '%s' is not known: give it as \"sm_90\" or \"compute_90\"", wanted);
    else
        snprintf(it->architecture, sizeof it->architecture, "%s", wanted);
    it->to_ptx = strncmp(it->architecture, "compute_", 8) == 0;
    if (it->to_ptx) return JR_OK;
    const jr_nvrtc_about *nvrtc = jr_compiler_recall(it->context->compiler);
    return jr_linker_find(nvrtc != NULL ? nvrtc->path : NULL, &it->context->device, &it->linker);
}

static jr_status compile_part(linking *it, size_t i) {
    jr_program program = *it->inputs[i].program;
    if (program.entry == NULL) program.entry = "*";
    JR_TRY(jr_kernel_image_relocatable(it->context, &program, it->architecture, &it->images[i]));
    const jr_image *image = it->images[i];
    const void *data = it->to_ptx ? image->ptx : image->cubin;
    return jr_link_part_read(it->inputs[i].name, data, it->to_ptx ? image->ptx_bytes : image->cubin_bytes,
                             &it->parts[i]);
}

static jr_status read_parts(linking *it) {
    it->parts = calloc(it->count, sizeof *it->parts);
    it->images = calloc(it->count, sizeof(jr_image *));
    if (it->parts == NULL || it->images == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to link %zu inputs", it->count);
    for (size_t i = 0; i < it->count; i++) {
        const jr_link_input *input = &it->inputs[i];
        if (input->program != NULL)
            JR_TRY(compile_part(it, i));
        else
            JR_TRY(jr_link_part_read(input->name, input->data, input->bytes, &it->parts[i]));
        if (it->to_ptx && it->parts[i].kind != JR_LINK_PTX)
            return jr_fail(JR_ERROR_NOT_APPLICABLE,
                           "%s is %s, which links to machine code only: for %s (the simulator runs PTX) give a program "
                           "or PTX",
                           input->name, jr_link_kind_name(it->parts[i].kind), it->architecture);
    }
    return JR_OK;
}

static void make_key(linking *it) {
    enum { FORMAT = 1 };
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_digest_number(&digest, "link", FORMAT);
    jr_digest_string(&digest, "linker", it->to_ptx ? "jitreduce" : it->linker.identity);
    jr_digest_string(&digest, "architecture", it->architecture);
    jr_digest_string(&digest, "entry", it->entry != NULL ? it->entry : "*");
    jr_digest_number(&digest, "parts", it->count);
    for (size_t i = 0; i < it->count; i++) {
        uint8_t of_part[JR_DIGEST_BYTES];
        jr_digest_of(it->parts[i].data, it->parts[i].bytes, of_part);
        jr_digest_field(&digest, "part", of_part, JR_DIGEST_BYTES);
    }
    jr_digest_end(&digest, it->key.bytes);
}

/* ---- kernels ---- */

static jr_status list_kernels(const char *ptx, const void *cubin, size_t cubin_bytes, jr_text *names) {
    if (ptx != NULL && ptx[0] != '\0')
        jr_ptx_kernels(ptx, names);
    else if (!jr_cubin_kernels(cubin, cubin_bytes, names))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the machine code is no ELF file that can be read");
    return jr_text_failed(names) ? jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the names of kernels") : JR_OK;
}

jr_status jr_linked_kernels(const jr_image *image, jr_text *names) {
    return list_kernels(image->ptx, image->cubin, image->cubin_bytes, names);
}

static bool has_name(const char *list, jr_entry wanted) {
    for (jr_entry entry; jr_entries_next(&list, &entry);)
        if (entry.length == wanted.length && memcmp(entry.at, wanted.at, wanted.length) == 0) return true;
    return false;
}

/* The kernels that the image is to have: those asked for, if they are there. */
static jr_status choose_kernels(const linking *it, const char *all, const char **entry) {
    const char *list = it->entry;
    if (all[0] == '\0')
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "what was linked has no kernel: its inputs have device functions only");
    for (jr_entry wanted; jr_entries_next(&list, &wanted);)
        if (!has_name(all, wanted))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "no input has the kernel %.*s; their kernels: %.400s",
                           (int)wanted.length, wanted.at, all);
    *entry = it->entry != NULL ? it->entry : all;
    return JR_OK;
}

/* ---- linking ---- */

static jr_status make_image(const linking *it, const char *ptx, const jr_linked *linked, jr_image **image) {
    jr_text names = {0};
    const char *entry = NULL;
    jr_status status = list_kernels(ptx, linked->cubin, linked->bytes, &names);
    if (status == JR_OK) status = choose_kernels(it, jr_text_string(&names), &entry);
    if (status == JR_OK)
        status = jr_image_make(&(jr_image_parts){.key = it->key.bytes,
                                                 .entry = entry,
                                                 .architecture = it->architecture,
                                                 .ptx = ptx,
                                                 .ptx_bytes = ptx != NULL ? strlen(ptx) : 0,
                                                 .cubin = linked->cubin,
                                                 .cubin_bytes = linked->bytes},
                               image);
    jr_text_free(&names);
    return status;
}

static jr_status link_parts(const linking *it, jr_image **image) {
    jr_text ptx = {0};
    jr_linked linked = {NULL, 0};
    jr_status status = JR_OK;
    if (!it->to_ptx) status = jr_link_check(it->parts, it->count, jr_architecture_number(it->architecture));
    if (status == JR_OK)
        status = it->to_ptx ? jr_merge_ptx(it->parts, it->count, jr_architecture_number(it->architecture), &ptx)
                            : jr_link_cubin(&it->linker, it->parts, it->count, it->architecture, &linked);
    if (status == JR_OK) status = make_image(it, it->to_ptx ? jr_text_string(&ptx) : NULL, &linked, image);
    jr_text_free(&ptx);
    free(linked.cubin);
    return status;
}

static jr_status find_or_link(linking *it, jr_image **image) {
    JR_TRY(read_parts(it));
    make_key(it);
    if (jr_cache_read(it->context->cache, it->key.bytes, image)) {
        jr_log(JR_LOG_INFO, "found %s, linked of %zu inputs for %s, in the disk cache", (*image)->entry, it->count,
               it->architecture);
        return JR_OK;
    }
    JR_TRY(link_parts(it, image));
    jr_log(JR_LOG_INFO, "linked %s of %zu inputs for %s by %s", (*image)->entry, it->count, it->architecture,
           it->to_ptx ? "jitreduce" : it->linker.identity);
    (void)jr_cache_write(it->context->cache, *image);
    return JR_OK;
}

jr_status jr_linked_image(jr_context *context, const jr_link_input *inputs, size_t count, const char *entry,
                          const char *architecture, jr_image **image) {
    linking it = {.context = context, .inputs = inputs, .count = count};
    char *normal = NULL;
    if (entry != NULL) JR_TRY(jr_entries_normalise(entry, &normal));
    it.entry = normal;
    jr_status status = choose_architecture(&it, architecture);
    if (status == JR_OK) status = find_or_link(&it, image);
    for (size_t i = 0; it.images != NULL && i < count; i++) jr_image_free(it.images[i]);
    free(it.images);
    free(it.parts);
    free(normal);
    return status;
}
