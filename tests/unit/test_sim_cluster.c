/* Clusters at launches: which are refused, attributes of functions and launches, capture. The numbers are those of an
 * H100 under CUDA 13.0. */
#include <string.h>

#include "support/cases/sim_case.h"

static const char text[] = ".version 9.0\n.target sm_90\n.address_size 64\n"
                           ".visible .entry any(.param .u64 p) { ret; }\n"
                           ".visible .entry eight(.param .u64 p) .explicitcluster .reqnctapercluster 8, 1, 1 { ret; }\n"
                           ".visible .entry open(.param .u64 p) .explicitcluster { ret; }\n"
                           ".visible .entry square(.param .u64 p) .reqnctapercluster 2, 2 { ret; }\n"
                           ".visible .entry most(.param .u64 p) .maxclusterrank 4 { ret; }\n"
                           ".visible .entry none(.param .u64 p) .reqnctapercluster 0 { ret; }\n"
                           ".visible .entry wide(.param .u64 p) .reqnctapercluster 16 { ret; }\n"
                           ".visible .entry rank(.param .u64 p) { .reg .b32 %r<4>; .reg .b64 %d<4>; ld.param.u64 %d1, "
                           "[p]; mov.u32 %r1, %cluster_nctarank; mov.u32 %r2, %ctaid.x; mul.wide.u32 %d2, %r2, 4; "
                           "add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r1; ret; }\n";

static jr_cu_module loaded(void) {
    jr_cu_module module = NULL;
    good(cuModuleLoadData(&module, text));
    return module;
}

static jr_cu_function get(jr_cu_module module, const char *name) {
    jr_cu_function function = NULL;
    good(cuModuleGetFunction(&function, module, name));
    return function;
}

/* Launches a grid of x times y blocks in clusters of these extents; NULL: without the attribute. */
static int launch(jr_cu_function function, unsigned x, unsigned y, const unsigned cluster[3]) {
    jr_cu_deviceptr nothing = 0;
    void *parameters[] = {&nothing};
    jr_cu_launch_attribute attribute = {.id = JR_CU_LAUNCH_CLUSTER};
    const jr_cu_launch_config config = {
        .grid = {x, y, 1}, .block = {32, 1, 1}, .attributes = &attribute, .attribute_count = cluster ? 1 : 0};
    if (cluster) memcpy(attribute.value.cluster, cluster, sizeof attribute.value.cluster);
    const int error = cuLaunchKernelEx(&config, function, parameters, NULL);
    good(cuCtxSynchronize());
    return error;
}

#define BLOCKS(...) ((const unsigned[3]){__VA_ARGS__})

TEST_BETWEEN(a_launch_asks_for_clusters, sim_open, sim_close) {
    jr_cu_module module = loaded();
    jr_cu_function any = get(module, "any");
    good(launch(any, 4, 1, BLOCKS(2, 1, 1)));
    good(launch(any, 5, 1, BLOCKS(1, 1, 1)));
    good(launch(any, 4, 1, BLOCKS(0, 0, 0)));
    good(launch(any, 7, 1, BLOCKS(7, 1, 1)));
    good(launch(any, 4, 4, BLOCKS(4, 2, 1)));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(any, 5, 1, BLOCKS(2, 1, 1)));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(any, 4, 1, BLOCKS(2, 0, 0)));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(any, 4, 1, BLOCKS(1, 2, 1)));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(any, 3, 3, BLOCKS(3, 3, 1)));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(any, 1 << 16, 1 << 15, BLOCKS(1u << 16, 1u << 15, 1u << 30)));
    good(cuModuleUnload(module));
}

TEST_BETWEEN(a_kernel_says_what_its_clusters_are, sim_open, sim_close) {
    jr_cu_module module = loaded();
    jr_cu_function eight = get(module, "eight"), open = get(module, "open"), square = get(module, "square");
    jr_cu_function most = get(module, "most");
    good(launch(eight, 16, 1, NULL));
    good(launch(eight, 8, 1, BLOCKS(8, 1, 1)));
    good(launch(eight, 8, 1, BLOCKS(0, 0, 0)));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(eight, 12, 1, NULL));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(eight, 8, 1, BLOCKS(4, 1, 1)));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(eight, 8, 1, BLOCKS(1, 1, 1)));
    good(launch(open, 2, 1, BLOCKS(2, 1, 1)));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(open, 2, 1, NULL));
    good(launch(square, 2, 2, NULL));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(square, 4, 1, NULL));
    good(launch(most, 4, 1, BLOCKS(4, 1, 1)));
    good(launch(most, 8, 1, NULL));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(most, 8, 1, BLOCKS(8, 1, 1)));
    good(launch(get(module, "none"), 5, 1, NULL));
    good(cuModuleUnload(module));
}

TEST_BETWEEN(more_than_eight_blocks_must_be_allowed, sim_open, sim_close) {
    jr_cu_module module = loaded();
    jr_cu_function any = get(module, "any"), wide = get(module, "wide");
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(any, 16, 1, BLOCKS(16, 1, 1)));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(wide, 16, 1, NULL));
    good(cuFuncSetAttribute(any, JR_CU_FUNC_CLUSTER_NON_PORTABLE, 1));
    good(cuFuncSetAttribute(wide, JR_CU_FUNC_CLUSTER_NON_PORTABLE, 1));
    good(launch(any, 16, 1, BLOCKS(16, 1, 1)));
    good(launch(any, 9, 1, BLOCKS(9, 1, 1)));
    good(launch(wide, 16, 1, NULL));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(any, 17, 1, BLOCKS(17, 1, 1)));
    good(cuModuleUnload(module));
}

static void has(jr_cu_function function, const int wanted[6]) {
    for (int k = 0; k < 6; k++) {
        int value = -1;
        good(cuFuncGetAttribute(&value, JR_CU_FUNC_CLUSTER_MUST_BE_SET + k, function));
        assert_int_equal(value, wanted[k]);
    }
}

TEST_BETWEEN(functions_have_attributes_of_clusters, sim_open, sim_close) {
    jr_cu_module module = loaded();
    jr_cu_function any = get(module, "any"), eight = get(module, "eight");
    int value;
    has(any, (const int[]){0, 0, 0, 0, 0, 0});
    has(eight, (const int[]){1, 8, 1, 1, 0, 0});
    has(get(module, "open"), (const int[]){1, 0, 0, 0, 0, 0});
    has(get(module, "square"), (const int[]){0, 2, 2, 1, 0, 0});
    fails(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(&value, JR_CU_FUNC_CLUSTER_SCHEDULING + 1, any));
    fails(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(any, JR_CU_FUNC_CLUSTER_MUST_BE_SET, 1));
    fails(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(any, JR_CU_FUNC_CLUSTER_WIDTH, -1));
    fails(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(any, JR_CU_FUNC_CLUSTER_SCHEDULING, 9));
    fails(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(eight, JR_CU_FUNC_CLUSTER_WIDTH, 4));
    good(cuFuncSetAttribute(eight, JR_CU_FUNC_CLUSTER_WIDTH, 8));
    good(cuFuncSetAttribute(any, JR_CU_FUNC_CLUSTER_SCHEDULING, 1));
    good(cuFuncSetAttribute(any, JR_CU_FUNC_CLUSTER_WIDTH, 2));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(any, 4, 1, NULL));
    good(cuFuncSetAttribute(any, JR_CU_FUNC_CLUSTER_HEIGHT, 1));
    good(cuFuncSetAttribute(any, JR_CU_FUNC_CLUSTER_DEPTH, 1));
    has(any, (const int[]){0, 2, 1, 1, 0, 1});
    good(launch(any, 4, 1, NULL));
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, launch(any, 5, 1, NULL));
    good(cuModuleUnload(module));
}

TEST_BETWEEN(a_captured_launch_keeps_its_cluster, sim_open, sim_close) {
    jr_cu_module module = loaded();
    jr_cu_deviceptr ranks = sim_alloc(4 * sizeof(unsigned));
    void *parameters[] = {&ranks};
    jr_cu_launch_attribute attributes[] = {{.id = JR_CU_LAUNCH_CLUSTER, .value.cluster = {2, 1, 1}},
                                           {.id = JR_CU_LAUNCH_DEPENDENT, .value.flag = 0}};
    jr_cu_launch_config config = {
        .grid = {4, 1, 1}, .block = {1, 1, 1}, .attributes = attributes, .attribute_count = 2};
    jr_cu_graph graph;
    jr_cu_graph_exec exec;
    good(cuStreamCreate(&config.stream, JR_CU_STREAM_NON_BLOCKING));
    good(cuStreamBeginCapture_v2(config.stream, JR_CU_CAPTURE_GLOBAL));
    good(cuLaunchKernelEx(&config, get(module, "rank"), parameters, NULL));
    good(cuStreamEndCapture(config.stream, &graph));
    good(cuGraphInstantiateWithFlags(&exec, graph, 0));
    good(cuGraphLaunch(exec, config.stream));
    good(cuStreamSynchronize(config.stream));
    for (unsigned k = 0; k < 4; k++) assert_int_equal(sim_read(ranks + k * sizeof(unsigned)), 2);
    good(cuGraphExecDestroy(exec));
    good(cuGraphDestroy(graph));
    good(cuStreamDestroy_v2(config.stream));
    good(cuMemFree_v2(ranks));
    good(cuModuleUnload(module));
}

RUN_TESTS(NULL, NULL)
