/* What CUDA C has besides arithmetic, through NVRTC: jump tables, recursion, pointers to functions, structures by
 * value, arrays in local memory, divisions, bits. The same text is compiled for the host, too: its results are the
 * oracle. */
#include <math.h>
#include <string.h>

#include "support/fixtures/kernel_case.h"

enum { COUNT = 512 };

/* Defines a function twice: as C, and as the text for NVRTC. DEVICE precedes each definition. */
#define DEVICE static __attribute__((noinline))
#define BOTH(name, ...)                                                                                                \
    __VA_ARGS__                                                                                                        \
    static const char name##_text[] =                                                                                  \
        "#define DEVICE __device__ __noinline__\n"                                                                     \
        "#define TABLE __device__\n" #__VA_ARGS__ "\nextern \"C\" __global__ void k(const int *in, int *out) {\n"      \
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"                                                         \
        "    out[i] = " #name "(in[i], i);\n"                                                                          \
        "}\n"
#define TABLE static

BOTH(
    jumps, DEVICE int triple(int x) { return 3 * x + 1; } DEVICE int jumps(int x, int i) {
        int result = i;
        for (int round = 0; round < 3; round++) {
            switch ((x + round) & 15) {
            case 0: result += 7; break;
            case 1: result = triple(result); break;
            case 2: result -= x; break;
            case 3: result ^= 0x55; break;
            case 4: result = -result; break;
            case 5: result += 1000; break;
            case 6: return result;
            case 7: result = triple(x); break;
            case 9: result = result / 3; break;
            case 11: result = result % 7; break;
            default: result = result * 2 + 1;
            }
        }
        return result;
    });

BOTH(
    recursion,
    DEVICE int ackermann(int m, int n) {
        if (m == 0) return n + 1;
        return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    } DEVICE int recursion(int x, int i) { return ackermann(x & 1, i & 7) * 100 + ackermann(2, x & 3); });

BOTH(
    pointers, typedef int operation(int, int); DEVICE int add(int a, int b) {
        return a + b;
    } DEVICE int subtract(int a, int b) { return a - b; } DEVICE int largest(int a, int b) {
        return a > b ? a : b;
    } TABLE operation *const operations[3] = {add, subtract, largest};
    DEVICE int apply(operation *first, operation *second, int a, int b) {
        return second(first(a, b), a);
    } DEVICE int pointers(int x, int i) { return apply(operations[i % 3], operations[(i / 3) % 3], x, i); });

BOTH(
    structures,
    struct pair {
        short a;
        double b;
        char text[13];
        long long c;
    };
    DEVICE struct pair changed(struct pair p, int k, float scale) {
        p.a = (short)(p.a + k);
        p.b *= (double)scale;
        p.text[k % 13] = 'x';
        p.c = p.c * 3 - k;
        return p;
    } DEVICE int structures(int x, int i) {
        struct pair p = {(short)x, 2.5, "hello, world", x * 8589934592LL};
        p = changed(p, i, 4.0f);
        p = changed(p, i + 5, 0.5f);
        return p.a + (int)p.b + p.text[i % 13] + (int)(p.c >> 30);
    });

BOTH(
    arrays, DEVICE int arrays(int x, int i) {
        int row[40];
        unsigned char bytes[24];
        for (int k = 0; k < 40; k++) row[k] = k * x - i;
        for (int k = 0; k < 24; k++) bytes[k] = (unsigned char)(row[(k * 7 + i) % 40]);
        int sum = 0;
        for (int k = 0; k < 40; k++) sum += row[(k * 11 + x) & 31] ^ bytes[(k + i) % 24];
        return sum;
    });

BOTH(
    divisions, DEVICE int divisions(int x, int i) {
        const long long a = (long long)x * 1234567890123LL + i, b = (x % 17) * 4294967311LL + 1;
        const unsigned long long u = (unsigned long long)a * 0x9e3779b97f4a7c15ULL, v = u % 1000003ULL + 1;
        const unsigned wide = (unsigned)(a / b) + (unsigned)(a % b) + (unsigned)(u / v) + (unsigned)(u % v);
        return (int)(wide + (unsigned)(x / (i + 1)) + (unsigned)(x % (i + 1)) + (unsigned)x / 10u);
    });

BOTH(
    bits, DEVICE int bits(int x, int i) {
        const unsigned u = (unsigned)x * 2654435761u, s = (unsigned)i & 31;
        unsigned long long w = (unsigned long long)u << s | (unsigned)i;
        unsigned turned = u << s | (s ? u >> (32 - s) : 0), count = 0;
        for (unsigned long long rest = w; rest; rest &= rest - 1) count++;
        return (int)((turned ^ count ^ (unsigned)(w >> 17)) + (unsigned)(x >> s) + (unsigned)(short)u +
                     (unsigned)(signed char)(u >> 8));
    });

/* Operations that IEEE 754 rounds correctly. */
BOTH(
    doubles, DEVICE int doubles(int x, int i) {
        const double a = x * 1.1, b = i + 0.3, c = fma(a, b, -a * b), d = sqrt(b) / 3.0;
        return (int)(c * 1e17) + (int)floor(a / b) + (int)ceil(d * a) + (int)rint(a) + (int)trunc(fmod(a, b)) +
               (int)(d * 1e6);
    });

BOTH(
    loops, DEVICE int loops(int x, int i) {
        int steps = 0;
        unsigned n = (unsigned)(x < 0 ? -x : x) + (unsigned)i + 1;
        while (n != 1) {
            if (++steps > 200) break;
            if (n & 1) {
                n = 3 * n + 1;
                continue;
            }
            do n >>= 1;
            while (!(n & 1));
            steps += 10;
        }
        return steps;
    });

static void agrees(const opened *device, const char *source, int (*oracle)(int, int)) {
    const jr_program program = JR_INIT(jr_program, .name = "language", .source = source, .entry = "k");
    jr_kernel *kernel = kernel_new(device, &program);
    int in[COUNT], out[COUNT];
    uint64_t seed = 7;
    for (int i = 0; i < COUNT; i++) in[i] = (int)random_below(&seed, 4000) - 2000;
    int *d_in = device_new(device, sizeof in), *d_out = device_new(device, sizeof out);
    device_write(device, d_in, in, sizeof in);
    void *args[] = {&d_in, &d_out};
    works(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {COUNT / 128}, .block = {128}), args));
    device_read(device, out, d_out, sizeof out);
    for (int i = 0; i < COUNT; i++) assert_int_equal(out[i], oracle(in[i], i));
}

#define AS_ON_THE_HOST(name)                                                                                           \
    TEST(name##_are_as_on_the_host) {                                                                                  \
        agrees(*state, name##_text, name);                                                                             \
    }
#define TESTS(XX)                                                                                                      \
    XX(jumps)                                                                                                          \
    XX(recursion)                                                                                                      \
    XX(pointers)                                                                                                       \
    XX(structures)                                                                                                     \
    XX(arrays)                                                                                                         \
    XX(divisions)                                                                                                      \
    XX(bits)                                                                                                           \
    XX(doubles)                                                                                                        \
    XX(loops)
TESTS(AS_ON_THE_HOST)

RUN_TESTS(open_context, close_context)
