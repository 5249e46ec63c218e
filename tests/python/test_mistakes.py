"""Wrong arguments: each is an exception that names it and says what to do, and leaves the next call as it was."""

import os
import unittest
import warnings

import numpy as np

import jitreduce as jr
from test_reductions import Judged

COPY = 'extern "C" __global__ void copy(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x]; }'


class Mistakes(Judged):
    """Arguments of functions that are not what they should be."""

    def refused(self, error, words, call):
        """The call raises that error, with these words."""
        self.assertRaisesRegex(error, words, call)

    def test_an_axis_that_is_no_whole_number_is_named(self):
        x = np.ones((2, 3))
        for axis in ("a", True, 1.5, (0, "b"), (False,)):
            self.refused(TypeError, "axis", lambda: jr.sum(x, axis=axis))  # pylint: disable=cell-var-from-loop
        self.same(jr.sum(x, axis=np.int64(1)), x.sum(axis=1))

    def test_a_scan_goes_along_one_axis(self):
        for axis in ((0, 1), [0]):
            self.assertRaisesRegex(TypeError, "one axis", lambda: jr.cumulative_sum(np.ones((2, 3)), axis=axis))

    def test_an_initial_value_that_is_no_such_number_is_named(self):
        self.refused(TypeError, "1.5 is not an integer", lambda: jr.sum(np.arange(3), initial=1.5))
        self.refused(TypeError, "'1' is not a number", lambda: jr.sum(np.ones(3), initial="1"))
        self.refused(TypeError, "1j is not a number", lambda: jr.sum(np.ones(3), initial=1j))
        self.refused(TypeError, "initial", lambda: jr.sum(np.ones(3), initial=np.ones(2)))
        self.refused(TypeError, "initial", lambda: jr.sum(np.ones(3), initial=[1]))

    def test_an_initial_value_may_be_an_array_without_axes(self):
        self.same(jr.sum(np.ones(3), initial=np.array(1.5)), np.float64(4.5))
        self.same(jr.sum(np.arange(3), initial=np.array(4, "u1")), np.int64(7))

    def test_parameters_that_are_no_numbers_by_names_are_told(self):
        x = np.ones(3)
        self.refused(TypeError, "parameters", lambda: jr.sum(x, where="x > q", parameters=[1]))
        self.refused(TypeError, "'1' is not a number", lambda: jr.sum(x, where="x > q", parameters={"q": "1"}))
        self.refused(TypeError, "3 is not a name", lambda: jr.sum(x, where="x > q", parameters={3: 1}))

    def test_where_may_be_one_boolean(self):
        x = np.arange(6.0).reshape(2, 3)
        for where in (True, np.True_):
            self.same(jr.sum(x, where=where), np.sum(x))
            self.same(jr.sum(x, axis=0, where=where), np.sum(x, axis=0))
        for where in (False, np.False_):
            self.same(jr.sum(x, axis=0, where=where), np.zeros(3))
            self.same(jr.prod(x, where=where), np.float64(1))
            self.assertRaises(jr.EmptyInputError, jr.max, x, where=where)

    def test_other_arguments_that_are_wrong_are_named(self):
        x = np.ones(3)
        self.refused(TypeError, "context", lambda: jr.sum(x, context=3))
        self.refused(ValueError, r"ord=\[1\]", lambda: jr.norm(x, ord=[1]))
        self.refused(TypeError, "correction", lambda: jr.var(x, correction="1"))
        self.refused(TypeError, "correction", lambda: jr.std(x, correction=None))
        self.refused(jr.InvalidArgumentError, "^correction=-1 is not allowed", lambda: jr.var(x, correction=-1))
        self.refused(ValueError, "^correction=-0.5 is not allowed", lambda: jr.std(x, axis=0, correction=-0.5))
        self.refused(ValueError, "^correction=0.5: of an exact var", lambda: jr.var(x, correction=0.5, exact=True))
        self.refused(TypeError, "unroll=1.5", lambda: jr.sum(x, unroll=1.5))
        self.refused(OverflowError, "grid=1099511627776", lambda: jr.sum(x, grid=2**40))
        self.refused(OverflowError, "block=", lambda: jr.sum(x, block=2**80))

    def test_an_unknown_argument_suggests_the_nearest_and_lists_all(self):
        x, d = np.ones(3), jr.DeviceArray.of(np.ones(3))
        self.refused(TypeError, "unknown argument 'keepdim': did you mean 'keepdims'.* Known: axis, dtype, .*nan, .*grid", lambda: jr.sum(x, keepdim=True))
        self.refused(TypeError, "'ddof': did you mean 'correction'", lambda: jr.var(x, ddof=1))
        self.refused(TypeError, r"'weights': jitreduce.average\(x, weights=w\) takes it", lambda: jr.mean(x, weights=x))
        self.refused(AttributeError, r"'nancumsum': jitreduce.cumulative_sum\(x, nan=\"ignore\"\)", lambda: jr.nancumsum(x))
        for one in (np.datetime64("2020-01-01"), np.timedelta64(3, "s"), np.array("2020", "M8[Y]")):
            self.refused(TypeError, "x: elements of .* are dates or times: x.view", lambda: jr.sum(one))  # pylint: disable=cell-var-from-loop
        self.refused(TypeError, r"'map': a Reduction has it, jitreduce.Reduction\(\"sum\", map=...\)", lambda: jr.sum(x, map="x * x"))
        self.refused(TypeError, r"'combine': a Reduction has it, jitreduce.Reduction\(combine=..., identity", lambda: jr.sum(x, combine="a + b"))
        self.refused(TypeError, "'q'. Known: op, where, initial, counts", lambda: jr.group_by(x, x, q=1))
        self.refused(TypeError, "'initia': did you mean 'initial'", lambda: jr.Reduction("sum")(x, initia=1))
        self.refused(TypeError, "'acumulate': did you mean 'accumulate'", lambda: jr.Plan("sum", d, acumulate="float64"))
        self.refused(TypeError, "'finnish': did you mean 'finish'", lambda: jr.ExactState("sum", finnish="a"))

    def test_functions_by_their_names_in_other_libraries_are_suggested(self):
        for name, meant in (("avg", "mean"), ("cumsum", "cumulative_sum"), ("cummax", "cumulative_max"), ("reduceat", "reduce_segments"), ("summ", "sum")):
            self.assertRaisesRegex(AttributeError, f"no attribute '{name}': did you mean {meant}", getattr, jr, name)
        self.assertFalse(hasattr(jr, "__no_such_thing__"))

    def test_a_dtype_may_have_its_short_name(self):
        self.assertEqual(jr.sum(np.ones(3, "f4"), dtype="f8").dtype, np.float64)
        self.refused(TypeError, "write int8 or int64", lambda: jr.sum(np.ones(3), dtype="i8"))

    def test_a_plan_takes_correction_and_dtypes(self):
        d = jr.DeviceArray.of(np.array([1.0, 3.0]))
        self.assertEqual(jr.Plan("var", d, correction=1).value(d), 2.0)
        self.assertEqual(jr.Plan("sum", d, result=np.float32).dtype, "float32")
        self.assertEqual(jr.ExactState("var", correction=1).add(np.array([1.0, 3.0])).value(), 2.0)

    def test_dates_are_told_what_to_do(self):
        for kind in ("M8[s]", "m8[ms]"):
            self.assertRaisesRegex(TypeError, r"x: .*x\.view\('int64'\)", lambda: jr.max(np.zeros(3, kind)))


class Memory(Judged):
    """Arrays in device memory, and kernels that are given them."""

    def test_a_shape_that_is_none_is_refused(self):
        for shape in (-3, (-2, -3), (2, -1)):
            self.assertRaisesRegex(ValueError, "shape", jr.DeviceArray, shape, "float32")
        for shape in ("3", 1.5, (2, None)):
            self.assertRaisesRegex(TypeError, "shape", jr.DeviceArray, shape, "float32")
        self.assertEqual(jr.DeviceArray(np.int64(3), "float32").shape, (3,))

    def test_a_shape_whose_bytes_overflow_is_refused(self):
        for shape in ((2**40, 2**40), (2**62,), (2**33, 2**29, 2)):
            self.assertRaisesRegex(MemoryError, "bytes", jr.DeviceArray, shape, "float32")
        self.assertEqual(jr.DeviceArray((2**40, 0), "float32").nbytes, 0)

    def test_a_kernel_refuses_arrays_in_host_memory(self):
        kernel, y = jr.Kernel(COPY, "copy"), jr.DeviceArray(32, "float32")
        self.assertRaisesRegex(ValueError, "host memory.*DeviceArray.of", lambda: kernel(1, 32, (np.zeros(32, "f"), y)))
        x = jr.DeviceArray.of(np.arange(32, dtype="f"))
        kernel(1, 32, (x, y))
        self.same(y.numpy(), np.arange(32, dtype="f"))

    def test_sizes_of_a_launch_are_not_cut_to_32_bits(self):
        kernel, y = jr.Kernel(COPY, "copy"), jr.DeviceArray(32, "float32")
        for grid, block in ((-1, 32), (2**32 + 1, 32), (1, -32), ((1, 2**40), 32)):
            self.assertRaisesRegex(OverflowError, "grid|block", kernel, grid, block, (y, y))
        for shared_bytes in (-1, 2**32):
            self.assertRaisesRegex(OverflowError, "shared_bytes", kernel, 1, 32, (y, y), shared_bytes=shared_bytes)
        for grid in ("1", None, (1, 1, 1, 1), ()):
            self.assertRaisesRegex(TypeError, "grid", kernel, grid, 32, (y, y))


class Forks(unittest.TestCase):
    """Processes that are forked when the device is in use already."""

    def test_a_forked_process_is_told_what_to_do(self):
        jr.sum(np.ones(3))
        answers, answer = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads
            child = os.fork()
        if child == 0:
            try:
                jr.sum(np.ones(3))
                os.write(answer, b"no error")
            except jr.Error as error:
                os.write(answer, str(error).encode())
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        os.close(answer)
        with open(answers, encoding="utf-8") as told:
            self.assertRegex(told.read(), "forked.*spawn")
