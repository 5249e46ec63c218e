"""Operators and kernels of the caller's own, several operators in one pass, and those that NumPy has elsewhere."""

import ctypes
import math

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
        with self.assertRaisesRegex(ValueError, "ord=3"):
            jr.norm(x, ord=3)

    def test_dot(self):
        x, y = numbers("f", (4, 5)), numbers("f", (4, 5))
        self.same(jr.dot(x, y), np.vdot(x, y))
        self.same(jr.dot(x, y, axis=1), np.einsum("ij,ij->i", x, y))
        self.same(jr.dot(x, y, where="x > y"), np.vdot(x, y * (x > y)))
        mask = x > y
        self.same(jr.dot(x, y, where=mask), np.vdot(x, y * mask))
        with self.assertRaisesRegex(ValueError, "shapes"):
            jr.dot(x, y[0])

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
        with self.assertRaisesRegex(ValueError, "order of elements"):
            jr.reduce(np.asfortranarray(x), ("min", "argmin"))


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
        with self.assertRaisesRegex(ValueError, "order of elements"):
            first(np.asfortranarray(x))

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
                                 ({"combine": "a + b"}, "belong together")):
            with self.assertRaisesRegex(TypeError, words):
                jr.Reduction(**arguments)
        with self.assertRaises(jr.InvalidExpressionError):
            jr.Reduction("sum", map="x +")(np.ones(2))
        with self.assertRaisesRegex(ValueError, "of its own"):
            jr.Reduction("sum", where="x > 0")(np.ones(2), where="x > 1")
        with self.assertRaisesRegex(TypeError, "1 to 4"):
            jr.Reduction("sum")()


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

    def test_what_cannot_be_an_argument_or_a_block_is_told(self):
        kernel = jr.Kernel(SAXPY, "saxpy", {"SCALE": 1})
        with self.assertRaisesRegex(TypeError, "cannot be an argument"):
            kernel(1, 32, ("text",))
        with self.assertRaises(jr.LaunchResourcesError):
            kernel(1, 1 << 20, (0, 0, 1.0, 1))

    def test_a_kernel_takes_as_many_arguments_as_it_has_parameters(self):
        kernel, y = jr.Kernel(SAXPY, "saxpy", {"SCALE": 1}), jr.DeviceArray.of(np.ones(4, "f"))
        info = kernel.info()
        self.assertEqual((info["parameter_count"], info["parameter_bytes"]), (4, 24))
        with self.assertRaisesRegex(TypeError, "the kernel saxpy has 4 parameters, and 5 arguments were given"):
            kernel(1, 32, (y, y, np.float32(3), 4, 5))
        with self.assertRaisesRegex(TypeError, "the kernel saxpy has 4 parameters, and 1 argument was given"):
            kernel(1, 32, (y,))
        one = jr.Kernel('extern "C" __global__ void one(int *y) { *y = 7; }', "one")
        with self.assertRaisesRegex(TypeError, "the kernel one has 1 parameter, and 0 arguments were given"):
            one(1, 1)
        self.same(y.numpy(), np.ones(4, "f"))

    def test_what_is_missing_at_the_end_of_a_struct_is_zeros(self):
        kernel = jr.Kernel("""struct large { int at[1000]; };
            extern "C" __global__ void add(long long *y, large given) { for (int i = 0; i < 1000; i++) *y += given.at[i]; }""", "add")
        y = jr.DeviceArray.of(np.zeros(1, "i8"))
        self.assertEqual(kernel.info()["parameter_bytes"], 4008)
        kernel(1, 1, (y, np.array((3, 4), "i4,i4")[()]))
        self.same(y.numpy(), np.array([7]))

    def test_device_arrays_come_and_go(self):
        made = jr.DeviceArray((2, 3), np.int16)
        self.assertEqual((made.nbytes, made.address % 256), (12, 0))
        self.assertEqual(jr.DeviceArray.of(np.zeros((0, 3))).numpy().shape, (0, 3))
        with self.assertRaisesRegex(ValueError, "C-ordered"):
            jr.DeviceArray.of(np.asfortranarray(numbers("f", (3, 4))))
        self.assertTrue(math.isclose(jr.DeviceArray.of(np.float64(2.5)).numpy(), 2.5))
