/* The kernels, and what the host computes of the same data. */
#include "tunable_case.h"

#include <stdlib.h>

enum { RADIUS = 3 };

static const jr_program product_program = {
    .size = sizeof(jr_program),
    .name = "matmul",
    .entry = "matmul",
    .source = "extern \"C\" __global__ void matmul(const float *a, const float *b, float *c, int n) {\n"
              "    __shared__ float left[TILE * ROWS][TILE], right[TILE][TILE];\n"
              "    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x;\n"
              "    const int row = blockIdx.y * (TILE * ROWS) + y;\n"
              "    float sums[ROWS] = {};\n"
              "    for (int t = 0; t < n; t += TILE) {\n"
              "        for (int r = 0; r < ROWS; r++) left[y + r * TILE][x] = a[(row + r * TILE) * n + t + x];\n"
              "        right[y][x] = b[(t + y) * n + column];\n"
              "        __syncthreads();\n"
              "#pragma unroll\n"
              "        for (int k = 0; k < TILE; k++)\n"
              "            for (int r = 0; r < ROWS; r++) sums[r] += left[y + r * TILE][k] * right[k][x];\n"
              "        __syncthreads();\n"
              "    }\n"
              "    for (int r = 0; r < ROWS; r++) c[(row + r * TILE) * n + column] = sums[r];\n"
              "}\n"};
static const jr_named_text product_parameters[] = {{"TILE", "4,8,16"}, {"ROWS", "1..4*2"}};
static const char *const product_restrictions[] = {"N % (TILE * ROWS) == 0", "TILE * TILE <= THREADS_MAX"};
static const char *const size_names[] = {"N"};

const jr_tunable tunable_product = {.size = sizeof(jr_tunable),
                                    .program = &product_program,
                                    .parameters = product_parameters,
                                    .parameter_count = 2,
                                    .restrictions = product_restrictions,
                                    .restriction_count = 2,
                                    .sizes = size_names,
                                    .size_count = 1,
                                    .grid = "N / TILE, N / (TILE * ROWS)",
                                    .block = "TILE, TILE",
                                    .preferred = "TILE=8,ROWS=1"};

static const jr_named_text stencil_constants[] = {{"RADIUS", "3"}};
static const jr_program stencil_program = {
    .size = sizeof(jr_program),
    .name = "stencil",
    .entry = "stencil",
    .constants = stencil_constants,
    .constant_count = 1,
    .source = "extern \"C\" __global__ void stencil(const float *in, float *out, int n) {\n"
              "    extern __shared__ float staged[];\n"
              "    const int first = blockIdx.x * (BLOCK * EACH);\n"
              "#if STAGED\n"
              "    for (int i = threadIdx.x; i < BLOCK * EACH + 2 * RADIUS; i += BLOCK)\n"
              "        staged[i] = in[min(max(first + i - RADIUS, 0), n - 1)];\n"
              "    __syncthreads();\n"
              "#endif\n"
              "    for (int e = 0; e < EACH; e++) {\n"
              "        const int own = e * BLOCK + threadIdx.x, i = first + own;\n"
              "        float sum = 0;\n"
              "        for (int k = -RADIUS; k <= RADIUS; k++)\n"
              "            sum += STAGED ? staged[own + k + RADIUS] : in[min(max(i + k, 0), n - 1)];\n"
              "        if (i < n) out[i] = sum / (2 * RADIUS + 1);\n"
              "    }\n"
              "}\n"};
static const jr_named_text stencil_parameters[] = {{"BLOCK", "32..128*2"}, {"EACH", "1,2,4"}, {"STAGED", "0,1"}};

const jr_tunable tunable_stencil = {.size = sizeof(jr_tunable),
                                    .program = &stencil_program,
                                    .parameters = stencil_parameters,
                                    .parameter_count = 3,
                                    .sizes = size_names,
                                    .size_count = 1,
                                    .grid = "ceil(N / (BLOCK * EACH))",
                                    .block = "BLOCK",
                                    .shared = "STAGED * 4 * (BLOCK * EACH + 2 * RADIUS)"};

static void make(tunable_case *made, int n, uint64_t count, int inputs) {
    uint64_t seed = 3;
    *made = (tunable_case){.sizes = {n}, .n = n, .count = count};
    made->expected = calloc(count, sizeof(float));
    assert_non_null(made->expected);
    works(jr_memory_new(tuning_context, count * sizeof(float), &made->result));
    works(jr_memory_write(tuning_context, made->result, made->expected, count * sizeof(float)));
    for (int k = 0; k < inputs; k++) {
        made->inputs[k] = malloc(count * sizeof(float));
        assert_non_null(made->inputs[k]);
        for (uint64_t i = 0; i < count; i++) made->inputs[k][i] = (float)random_below(&seed, 16) - 8;
        works(jr_memory_new(tuning_context, count * sizeof(float), &made->device_inputs[k]));
        works(jr_memory_write(tuning_context, made->device_inputs[k], made->inputs[k], count * sizeof(float)));
        made->args[k] = &made->device_inputs[k];
    }
    made->args[inputs] = &made->result;
    made->args[inputs + 1] = &made->n;
    made->output = (jr_tunable_output){.address = made->result,
                                       .bytes = count * sizeof(float),
                                       .expected = made->expected,
                                       .type = JR_F32,
                                       .relative = 1e-6};
    made->problem = JR_INIT(jr_tunable_problem, .sizes = made->sizes, .args = made->args, .outputs = &made->output,
                            .output_count = 1);
}

void tunable_case_product(tunable_case *made, int n) {
    make(made, n, (uint64_t)n * (uint64_t)n, 2);
    for (int row = 0; row < n; row++)
        for (int k = 0; k < n; k++)
            for (int column = 0; column < n; column++)
                made->expected[row * n + column] += made->inputs[0][row * n + k] * made->inputs[1][k * n + column];
}

void tunable_case_stencil(tunable_case *made, int n) {
    make(made, n, (uint64_t)n, 1);
    for (int i = 0; i < n; i++) {
        for (int k = i - RADIUS; k <= i + RADIUS; k++)
            made->expected[i] += made->inputs[0][k < 0 ? 0 : k < n ? k : n - 1];
        made->expected[i] /= 2 * RADIUS + 1;
    }
}

void tunable_case_free(tunable_case *freed) {
    for (int k = 0; k < 2; k++) {
        jr_memory_free(tuning_context, freed->device_inputs[k]);
        free(freed->inputs[k]);
    }
    jr_memory_free(tuning_context, freed->result);
    free(freed->expected);
}

bool tunable_case_is_untouched(const tunable_case *on) {
    float *got = test_bytes(on->count * sizeof *got);
    bool zero = true;
    works(jr_memory_read(tuning_context, got, on->result, on->count * sizeof *got));
    for (uint64_t i = 0; i < on->count; i++) zero = zero && got[i] == 0;
    return zero;
}

/* ---- modes ---- */

static const char *const modes = "extern \"C\" __global__ void modes(int *out) {\n"
                                 "#if MODE == 1\n"
                                 "    out[threadIdx.x] = 5;\n"
                                 "#elif MODE == 2\n"
                                 "    out[threadIdx.x + (1ull << 45)] = 1;\n"
                                 "#elif MODE == 3\n"
                                 "    while (((volatile int *)out)[threadIdx.x] != 77) {}\n"
                                 "#elif MODE == 4\n"
                                 "#error this mode is none\n"
                                 "#elif MODE == 5\n"
                                 "    __shared__ volatile int much[1 << 20];\n"
                                 "    much[threadIdx.x] = 1;\n"
                                 "    out[threadIdx.x] = much[threadIdx.x];\n"
                                 "#else\n"
                                 "    out[threadIdx.x] += 1;\n" /* right on outputs as they were alone */
                                 "#endif\n"
                                 "}\n";

void tunable_modes_make(tunable_modes *made, const char *values) {
    const int zeros[32] = {0};
    *made = (tunable_modes){.parameter = {"MODE", values}};
    made->program = JR_INIT(jr_program, .name = "modes", .source = modes, .entry = "modes");
    made->tunable = JR_INIT(jr_tunable, .program = &made->program, .parameters = &made->parameter, .parameter_count = 1,
                            .grid = "1", .block = "32");
    works(jr_memory_new(tuning_context, sizeof zeros, &made->d_out));
    works(jr_memory_write(tuning_context, made->d_out, zeros, sizeof zeros));
    made->args[0] = &made->d_out;
    made->output = (jr_tunable_output){.address = made->d_out, .bytes = sizeof zeros};
    made->problem = JR_INIT(jr_tunable_problem, .args = made->args, .outputs = &made->output, .output_count = 1);
}
