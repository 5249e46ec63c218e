/* The CUDA toolkit's headers by a flag: half types, the standard library, CUB, cooperative groups. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/nvrtc.h"
#include "loader/toolkit.h"
#include "support/fixtures/kernel_case.h"
#include "support/fixtures/scratch.h"

static bool has_toolkit(void) {
    jr_toolkit toolkit;
    jr_places places;
    char nvrtc[JR_PATH_BYTES];
    jr_places_of_process(&places);
    works(jr_nvrtc_locate(NULL, NULL, NULL, nvrtc));
    return jr_toolkit_named(&places, nvrtc, &toolkit) || jr_toolkit_known(&places, &toolkit);
}

static jr_program program_of(const char *source) {
    return JR_INIT(jr_program, .name = "toolkit", .source = source, .entry = "k", .toolkit_headers = 1);
}

/* Sources that write 42. */
static const char *const sources[] = {
    "#"
    "include <cuda_fp16.h>\n"
    "extern \"C\" __global__ void k(int *o) { *o = (int)__half2float(__hadd(__float2half(40), __float2half(2))); }\n",
    "#"
    "include <cuda_bf16.h>\n"
    "extern \"C\" __global__ void k(int *o) { *o = (int)__bfloat162float(__float2bfloat16(42)); }\n",
    "#"
    "include <cuda/std/array>\n#"
    "include <cuda/std/limits>\n"
    "extern \"C\" __global__ void k(int *o) { cuda::std::array<int, 2> a{40, 2}; *o = a[0] + a[1]; }\n",
    "#include <cooperative_groups.h>\n"
    "extern \"C\" __global__ void k(int *o) { auto g = cooperative_groups::this_thread_block(); g.sync(); "
    "*o = 41 + (int)g.size(); }\n",
    "#include <cub/block/block_reduce.cuh>\n"
    "extern \"C\" __global__ void k(int *o) { using R = cub::BlockReduce<int, 32>; __shared__ typename R::TempStorage "
    "t; "
    "int s = R(t).Sum(threadIdx.x < 1 ? 42 : 0); if (threadIdx.x == 0) *o = s; }\n",
};

DEVICE_TEST(the_toolkits_headers_compile_and_run) {
    if (!has_toolkit()) skip_because("no CUDA headers (cuda_fp16.h) are installed on this machine\n");
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        const jr_program program = program_of(sources[i]);
        assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 42);
    }
}

TEST(much_of_cub_compiles_and_the_second_process_finds_it_on_disk) {
    if (!has_toolkit()) skip_because("no CUDA headers (cuda_fp16.h) are installed on this machine\n");
    char folder[SCRATCH_BYTES];
    scratch_make(folder);
    jr_program program = program_of(
        "#include <cub/block/block_radix_sort.cuh>\n#include <cub/block/block_scan.cuh>\n"
        "extern \"C\" __global__ void k(int *o) { using R = cub::BlockScan<int, 64>; "
        "__shared__ typename R::TempStorage t; int s; R(t).InclusiveSum(o[threadIdx.x], s); o[threadIdx.x] = s; }\n");
    const jr_options options = JR_INIT(jr_options, .cache_dir = folder);
    jr_image *first = NULL, *second = NULL;
    works(jr_image_compile(&options, &program, "sm_90", &first));
    works(jr_image_compile(&options, &program, "sm_90", &second));
    /* an image, a manifest, a compiler record, two of the program's history, the file of claims, the headers' folder */
    assert_int_equal(scratch_count(folder), 7);
    assert_string_equal(jr_image_ptx(first), jr_image_ptx(second));
    jr_image_destroy(first);
    jr_image_destroy(second);
}

/* ---- where they are looked for ---- */

static char top[SCRATCH_BYTES];

static void put(const char *path) {
    scratch_text(scratch_path(top, path), "");
}

static void finds(bool found, const jr_toolkit *toolkit, const char *first, const char *second) {
    assert_int_equal(found, first != NULL);
    if (first == NULL) return;
    assert_string_equal(toolkit->paths[0], scratch_path(top, first));
    assert_int_equal(toolkit->count, second != NULL ? 2 : 1);
    if (second != NULL) {
        char resolved[4096];
        assert_non_null(realpath(toolkit->paths[1], resolved));
        assert_string_equal(resolved, scratch_path(top, second));
    }
}

TEST(headers_are_found_in_every_layout) {
    jr_toolkit toolkit;
    char nvrtc[2 * SCRATCH_BYTES], home[2 * SCRATCH_BYTES];
    jr_places places = {.root = top};
    scratch_make(top);
    snprintf(nvrtc, sizeof nvrtc, "%s/site/nvidia/cu13/lib/libnvrtc.so.13", top);
    put("site/nvidia/cu13/lib/libnvrtc.so.13");
    finds(jr_toolkit_named(&places, nvrtc, &toolkit), &toolkit, NULL, NULL);
    finds(jr_toolkit_known(&places, &toolkit), &toolkit, NULL, NULL);
    put("usr/local/cuda/include/cuda_fp16.h");
    finds(jr_toolkit_known(&places, &toolkit), &toolkit, "usr/local/cuda/include", NULL);
    put("home/include/cuda_fp16.h");
    snprintf(home, sizeof home, "%s/home", top);
    places.cuda_home = home;
    finds(jr_toolkit_named(&places, nvrtc, &toolkit), &toolkit, "home/include", NULL);
    put("site/nvidia/cu13/include/cuda_fp16.h");
    put("site/nvidia/cu13/include/cccl/cub/cub.cuh");
    finds(jr_toolkit_named(&places, nvrtc, &toolkit), &toolkit, "site/nvidia/cu13/include",
          "site/nvidia/cu13/include/cccl");
    snprintf(nvrtc, sizeof nvrtc, "%s/old/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", top);
    put("old/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    put("old/nvidia/cuda_nvrtc/include/nvrtc.h");
    put("old/nvidia/cuda_runtime/include/cuda_fp16.h");
    put("old/nvidia/cuda_cccl/include/cub/cub.cuh");
    finds(jr_toolkit_named(&places, nvrtc, &toolkit), &toolkit, "old/nvidia/cuda_runtime/include",
          "old/nvidia/cuda_cccl/include");
}

RUN_TESTS(open_context, close_context)
