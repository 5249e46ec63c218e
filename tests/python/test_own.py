"""Operators and kernels of the caller's own, several operators in one pass, and those that NumPy has elsewhere."""

import ctypes
import math
import unittest

import numpy as np

import jitreduce as jr
from test_reductions import Judged, numbers

SAXPY = """extern "C" __global__ void saxpy(const float *x, float *y, float a, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) y[i] += SCALE * a * x[i];
}"""


class Ours(Judged):
    """norm dot logsumexp minmax, several operators at once."""

    def test_norms(self):
        x = numbers("d", (4, 5))
        for order in (1, 2, np.inf):
            self.same(jr.norm(x, axis=1, ord=order), np.linalg.norm(x, axis=1, ord=order), close=True)
        self.same(jr.norm(x.astype("e")), np.float16(np.linalg.norm(x)), close=True)
        self.assertRaisesRegex(ValueError, "ord=3", jr.norm, x, ord=3)

    def test_dot(self):
        x, y = numbers("f", (4, 5)), numbers("f", (4, 5))
        self.same(jr.dot(x, y), np.vdot(x, y))
        self.same(jr.dot(x, y, axis=1), np.einsum("ij,ij->i", x, y))
        self.same(jr.dot(x, y, where="x > y"), np.vdot(x, y * (x > y)))
        mask = x > y
        self.same(jr.dot(x, y, where=mask), np.vdot(x, y * mask))
        self.assertRaisesRegex(ValueError, "shapes", lambda: jr.dot(x, y[0]))

    def test_logsumexp(self):
        x = numbers("d", (4, 5)) + 700
        self.same(jr.logsumexp(x, axis=0), np.log(np.exp(x - 700).sum(axis=0)) + 700, close=True)

    def test_minmax_and_other_lists_in_one_pass(self):
        x = numbers("i", (4, 5))
        for order in "CF":
            y = np.asarray(x, order=order)
            for ours, theirs in zip(jr.minmax(y, axis=0), (np.min(x, axis=0), np.max(x, axis=0))):
                self.same(ours, theirs)
        found = jr.reduce(x, ("sum", "argmax", "mean", "any", "count_nonzero"), axis=1, keepdims=True)
        for ours, theirs in zip(found, (np.sum, np.argmax, np.mean, np.any)):
            self.same(ours, theirs(x, axis=1, keepdims=True))
        self.same(jr.reduce(x, ("sum", "max"), where=x > 2)[0], np.sum(x, where=x > 2))
        self.same(jr.reduce(np.asfortranarray(x), ("min", "argmin"))[1], np.argmin(x))


class Reductions(Judged):
    """Expressions."""

    def test_map_combine_and_finish(self):
        x, y = numbers("d", (3, 4)), numbers("d", (3, 4))
        own = jr.Reduction(combine="a < b ? a : b", identity="INFINITY", map="x * y", finish="2 * a", commutative=True)
        self.same(own(x, y), 2 * np.min(x * y))
        self.same(own(x, y, axis=0), 2 * np.min(x * y, axis=0))
        self.same(own(x, y, initial=-1000), np.float64(-2000))
        self.same(own(np.asfortranarray(x), np.asfortranarray(y)), 2 * np.min(x * y))

    def test_an_operator_that_does_not_commute_keeps_the_order(self):
        first = jr.Reduction(combine="a != 0 ? a : b", identity="0")
        x = np.array([[0, 3, 1], [0, 0, 7]])
        self.same(first(x), np.int64(3))
        self.same(first(x, axis=1), np.array([3, 7]))
        self.same(first(np.asfortranarray(x)), np.int64(3))

    def test_parameters_of_the_reduction_and_of_a_call(self):
        over = jr.Reduction("count_nonzero", map="x > least", parameters={"least": 2})
        x = numbers("d", 50)
        self.assertEqual(over(x), np.count_nonzero(x > 2))
        self.assertEqual(over(x, parameters={"least": 5}), np.count_nonzero(x > 5))

    def test_types_of_what_is_mapped_and_of_results(self):
        squares = jr.Reduction("sum", map="(double)x * x", map_type="float64", result="float32")
        x = numbers("b", 50)
        self.same(squares(x), np.float32((x.astype("d") ** 2).sum()))

    def test_several_operators(self):
        x = numbers("i", 30)
        low, high = jr.Reduction(("min", "max"), map="x * x")(x)
        self.assertEqual((low, high), ((x * x).min(), (x * x).max()))

    def test_what_does_not_fit_together(self):
        for arguments, words in (({}, "either"), ({"op": "sum", "combine": "a", "identity": "0"}, "either"),
                                 ({"combine": "a + b"}, "needs combine and identity: identity is missing")):
            self.assertRaisesRegex(TypeError, words, jr.Reduction, **arguments)
        self.assertRaises(jr.InvalidExpressionError, lambda: jr.Reduction("sum", map="x +")(np.ones(2)))
        self.assertRaisesRegex(ValueError, "already has a where", lambda: jr.Reduction("sum", where="x > 0")(np.ones(2), where="x > 1"))
        self.assertRaisesRegex(TypeError, "1 to 4", lambda: jr.Reduction("sum")())


class Kernels(Judged):
    """Kernels of CUDA C text."""

    def test_a_kernel_runs_with_arrays_and_numbers(self):
        x, y = numbers("f", 100), numbers("f", 100)
        device_x, device_y = jr.DeviceArray.of(x), jr.DeviceArray.of(y)
        kernel = jr.Kernel(SAXPY, "saxpy", {"SCALE": "2.0f"})
        kernel(4, (32,), (device_x, device_y, np.float32(3), 100))
        kernel((4, 1, 1), 32, (device_x, device_y, ctypes.c_float(1), np.int32(100)))
        self.same(device_y.numpy(), y + 8 * x)
        self.assertGreater(kernel.info()["max_threads_per_block"], 31)

    def test_a_text_that_does_not_compile_shows_nvrtcs_log(self):
        with self.assertRaises(jr.CompileError) as caught:
            jr.Kernel("extern \"C\" __global__ void k() { nonsense; }", "k")
        self.assertIn("nonsense", caught.exception.log)
        self.assertIn("nonsense", str(caught.exception))

    def test_blocks_wait_for_each_other_and_form_clusters(self):
        kernel = jr.Kernel("""extern "C" __global__ void meet(int *x) {
            unsigned blocks;
            asm("mov.u32 %0, %cluster_nctarank;" : "=r"(blocks));
            if (threadIdx.x > 0) return;
            atomicAdd(x, 1);
            while (atomicAdd(x, 0) < (int)gridDim.x) {}
            x[1 + blockIdx.x] = x[0] * 10 + blocks;
        }""")
        for blocks, how in ((1, {"cooperative": True, "priority": -1}), (2, {"cluster": 2}), (4, {"cluster": (4, 1)})):
            x = jr.DeviceArray.of(np.zeros(5, "i"))
            kernel(4, 32, (x,), **how)
            self.same(x.numpy(), np.array([4] + [40 + blocks] * 4, "i"))
        for how, error, words in (({"cluster": 3}, ValueError, "cluster has 3 blocks"), ({"cooperative": "no"}, TypeError, "cooperative"),
                                  ({"cluster": (1, 1, 1, 1)}, TypeError, "cluster"), ({"priority": 0.5}, TypeError, "priority"),
                                  ({"cluster": -1}, OverflowError, "cluster")):
            self.assertRaisesRegex(error, words, lambda: kernel(4, 32, (jr.DeviceArray.of(np.zeros(5, "i")),), **how))
        self.assertRaisesRegex(jr.Error, "does not fit", lambda: kernel(10 ** 6, 32, (jr.DeviceArray.of(np.zeros(5, "i")),), cooperative=True))

    def test_a_text_with_one_kernel_needs_no_entry(self):
        y = jr.DeviceArray.of(np.ones(4, "i4"))
        jr.Kernel("// see #include <x>\nnamespace n { __global__ void seven(int *y) { y[threadIdx.x] = 7; } }")(1, 4, (y,))
        self.same(y.numpy(), np.full(4, 7, "i4"))
        self.assertRaisesRegex(ValueError, "has several kernels: name one of a, b", jr.Kernel, "__global__ void a() {}\n__global__ void b() {}")
        with self.assertRaisesRegex(jr.CompileError, "no kernel sevn; did you mean seven") as caught:
            jr.Kernel("__global__ void seven() {}", "sevn")
        self.assertNotIn("__nv_name_map", str(caught.exception))

    def test_what_cannot_be_an_argument_or_a_block_is_told(self):
        kernel, y = jr.Kernel(SAXPY, "saxpy", {"SCALE": 1}), jr.DeviceArray(4, "float32")
        self.assertRaisesRegex(TypeError, "argument 1 of a kernel cannot be .text.", kernel, 1, 32, ("text", y, 0, 0))
        self.assertRaises(jr.LaunchResourcesError, lambda: kernel(1, 1 << 20, (y, y, 1.0, 1)))

    def test_a_kernel_takes_as_many_arguments_as_it_has_parameters(self):
        kernel, y = jr.Kernel(SAXPY, "saxpy", {"SCALE": 1}), jr.DeviceArray.of(np.ones(4, "f"))
        info = kernel.info()
        self.assertEqual((info["parameter_count"], info["parameter_bytes"]), (4, 24))
        self.assertRaisesRegex(TypeError, "the kernel saxpy has 4 parameters, and 5 arguments were given", lambda: kernel(1, 32, (y, y, np.float32(3), 4, 5)))
        with self.assertRaisesRegex(TypeError, "the kernel saxpy has 4 parameters, and 1 argument was given: the next parameter is an integer of 64 bits, or a pointer"):
            kernel(1, 32, (y,))
        one = jr.Kernel('extern "C" __global__ void one(int *y) { *y = 7; }', "one")
        self.assertRaisesRegex(TypeError, "the kernel one has 1 parameter, and 0 arguments were given", one, 1, 1)
        self.same(y.numpy(), np.ones(4, "f"))

    def test_a_number_becomes_what_the_parameter_is(self):
        kernel = jr.Kernel("""extern "C" __global__ void put(double *y, float f, int i, unsigned u, long long l, short s, double d, bool b) {
            y[0] = f; y[1] = i; y[2] = u; y[3] = l; y[4] = s; y[5] = d; y[6] = b;
        }""", "put")
        y = jr.DeviceArray.of(np.zeros(7))
        for given, expected in (((2.0, 3, 4, 5, 6, 7.5, True), (2, 3, 4, 5, 6, 7.5, 1)),
                                ((2, -3, 2**32 - 1, -5, -6, 7, 1), (2, -3, 2**32 - 1, -5, -6, 7, 1)),
                                ((np.float64(2.5), np.int64(-3), np.uint8(4), np.int16(-5), np.int8(-6), np.float32(7), np.True_),
                                 (2.5, -3, 4, -5, -6, 7, 1)),
                                ((ctypes.c_double(2), ctypes.c_long(3), ctypes.c_byte(4), ctypes.c_int(-5), ctypes.c_short(6),
                                  ctypes.c_float(0.5), ctypes.c_bool(True)), (2, 3, 4, -5, 6, 0.5, 1)),
                                ((np.array(2.5), np.array(3), 4, 5, 6, math.inf, False), (2.5, 3, 4, 5, 6, math.inf, 0))):
            kernel(1, 1, (y, *given))
            self.same(y.numpy(), np.array(expected, "d"))

    def test_a_number_that_is_another_one_to_the_parameter_is_refused(self):
        kernel, y = jr.Kernel(SAXPY, "saxpy", {"SCALE": 1}), jr.DeviceArray.of(np.ones(4, "f"))
        for count, error, words in ((4.0, TypeError, r"argument 4 of saxpy is 4.0: the parameter is an integer of 32 bits; a float is not"),
                                    (np.float32(4), TypeError, r"argument 4 of saxpy is 4 \(float32\): the parameter is an integer"),
                                    (2**32, ValueError, "argument 4 of saxpy is 4294967296: .* does not hold it"),
                                    (np.int64(-2**31 - 1), ValueError, r"is -2147483649 \(int64\): .* does not hold it"),
                                    (2**64, OverflowError, "argument 4 is 18446744073709551616, which does not fit into 64"),
                                    (10**5000, OverflowError, "argument 4 is <an object of int>, which does not fit"),
                                    (y, TypeError, "argument 4 of saxpy is an array: the parameter is an integer of 32 bits"),
                                    (None, TypeError, "argument 4 of a kernel cannot be None")):
            self.assertRaisesRegex(error, words, kernel, 1, 32, (y, y, 3, count))
        for a, error in ((1e39, ValueError), (y, TypeError), (1j, TypeError)):
            self.assertRaisesRegex(error, "argument 3", kernel, 1, 32, (y, y, a, 4))
        with self.assertRaisesRegex(TypeError, "argument 1 is the number 0.0, but the parameter is a pointer, `const float .x`: pass an array"):
            kernel(1, 32, (0.0, y, 3, 4))
        kernel(1, 32, (y, y, 3, 4))
        self.same(y.numpy(), np.full(4, 4, "f"))

    def test_a_struct_has_the_size_of_the_parameter(self):
        kernel = jr.Kernel("""struct pair { double d; int i; };
            extern "C" __global__ void add(double *y, pair given) { *y += given.d + given.i; }""", "add")
        y, fields = jr.DeviceArray.of(np.zeros(1)), np.dtype("f8,i4", align=True)
        kernel(1, 1, (y, np.array((0.5, 4), fields)[()]))
        self.same(y.numpy(), np.array([4.5]))
        with self.assertRaisesRegex(ValueError, "argument 2 of add is a struct of 12 bytes: the parameter is 16 bytes, a struct .* padding"):
            kernel(1, 1, (y, np.array((0.5, 4), "f8,i4")[()]))
        self.assertRaisesRegex(TypeError, "argument 2 of add is 3: .* give a number that has a type of this size", kernel, 1, 1, (y, 3))

    @unittest.skipIf(not jr.default_context().device_info()["simulated"], "what new memory of a GPU contains is not known")
    def test_new_memory_of_the_simulator_has_a_pattern_and_local_arrays_are_zero(self):
        kernel = jr.Kernel("""extern "C" __global__ void unwritten(const unsigned *x, unsigned *y, int n) {
            int a[8];
            for (int i = 0; i < n; i++) a[(i * 5) & 7] = 1;
            y[threadIdx.x] = threadIdx.x < 4 ? x[threadIdx.x] : a[threadIdx.x & 7];
        }""")
        x, y = jr.DeviceArray(8, "uint32"), jr.DeviceArray(8, "uint32")
        kernel(1, 8, (x, y, 2))
        self.same(y.numpy(), np.array([0xCDCDCDCD] * 4 + [0, 1, 0, 0], "u4"))

    def test_device_arrays_come_and_go(self):
        made = jr.DeviceArray((2, 3), np.int16)
        self.assertEqual((made.nbytes, made.address % 256), (12, 0))
        self.assertEqual(made.device, f"{'sim#' if made.__dlpack_device__()[0] == 12 else 'cuda:'}{made.__dlpack_device__()[1]}")
        self.assertEqual(jr.Context(made.device).device_info()["ordinal"], made.__dlpack_device__()[1])
        self.assertEqual(jr.DeviceArray.of(np.zeros((0, 3))).numpy().shape, (0, 3))
        x = numbers("f", (3, 4))
        self.same(jr.DeviceArray.of(np.asfortranarray(x)).numpy(), x)
        self.assertTrue(math.isclose(jr.DeviceArray.of(np.float64(2.5)).numpy(), 2.5))
