"""Calls that Python's or NumPy's habits make: each works, or says how it is written here."""

import unittest
import warnings

import numpy as np

import jitreduce as jr
from test_newcomers import KERNEL, Refusals

x = np.arange(6.0)


class Places(Refusals):
    """Arguments by their place that a function takes by name."""

    def test_a_surplus_argument_is_named_as_numpy_orders_them(self):
        for call, words in ((lambda: jr.sum(x, 0, "f4"), "^sum takes x and axis by place, and 'f4' is one too many: give it by name, dtype='f4'$"),
                            (lambda: jr.var(x, 0, None), "var .*dtype=None"), (lambda: jr.max(x, 0, np.zeros(())), "max .*out=array"), (lambda: jr.norm(x, 2, 0, True), "keepdims=True"),
                            (lambda: jr.cumulative_sum(x, 0), "^cumulative_sum takes x by place.*axis=0"), (lambda: jr.minmax(x, 0, None), "^minmax"),
                            (lambda: jr.Reduction("sum", "x*x"), r"^Reduction takes op by place.*map='x\*x'"), (lambda: jr.Stream(1), "Stream takes no argument by place"),
                            (lambda: jr.DeviceArray.of(x, 1), "context=1"), (lambda: jr.Context("sim", "a"), "Context takes device by place, and 'a'")):
            self.refused(TypeError, words, call)

    def test_arguments_of_a_kernel_are_one_tuple(self):
        kernel, y = jr.Kernel(KERNEL), jr.DeviceArray(1, "float64")
        self.refused(TypeError, r"as one tuple: \(1, 32, \(<jitreduce.DeviceArray.*>, 1000\)\)$", lambda: kernel(1, 32, y, 1000))
        kernel(1, 1, (y, 1000))
        self.assertEqual(y.item(), 1000)

    def test_a_run_needs_out(self):
        d = jr.DeviceArray.of(x)
        plan = jr.Plan("sum", d)
        self.refused(TypeError, r"run needs out.*run\(x, out=y\); value\(x\)", lambda: plan.run(d))
        self.refused(TypeError, "missing .*'dtype'", lambda: jr.DeviceArray(3))


class Types(Refusals):
    """Names of types."""

    def test_numpys_codes_are_names(self):
        for code in ("u1", "i2", "u2", "i4", "u4", "f2", "f4", "f8", "?", *"bhilqBHILQefd", "half", "single", "double", "intp", "uint8", "longlong", "<i4", "=f4", "|u1"):
            if code not in ("?", "b", "B", "|u1", "u1", "uint8"):
                self.assertEqual(jr.sum(np.ones(3), dtype=code).dtype, np.dtype(code), code)
            self.assertEqual(np.dtype(jr.DeviceArray(1, code).dtype), np.dtype(code), code)
        self.refused(TypeError, "write int8 or int64", lambda: jr.DeviceArray(1, "i8"))

    def test_results_of_types_that_numpy_lacks_name_the_package(self):
        calls = (lambda: jr.sum(x, dtype="bfloat16"), lambda: jr.cumulative_sum(x, dtype="bfloat16"), lambda: jr.sum(x.reshape(2, 3), axis=0, dtype="bfloat16"),
                 lambda: jr.Reduction("sum", result="bfloat16")(x), lambda: jr.group_by(x, x, op=jr.Reduction("sum", result="bfloat16"))[1])
        for call in calls:
            try:
                import ml_dtypes  # pylint: disable=import-outside-toplevel,unused-import
            except ImportError:
                self.refused(ImportError, "NumPy has no bfloat16 without the package ml_dtypes: pip install ml_dtypes", call)
            else:
                self.assertEqual(call().dtype.name, "bfloat16")


class WholeNumbers(unittest.TestCase):
    """Quotients of whole numbers, which C cuts."""

    def warned(self, call):
        """The result of a call, and the warnings that it gave."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            return call(), caught

    def test_a_quotient_that_is_cut_is_told_once_at_the_line_of_the_caller(self):
        halves = jr.Reduction("sum", map="x/2 + 0")
        result, caught = self.warned(lambda: halves(np.arange(5), initial=0))
        self.assertEqual((result, len(caught), caught[0].category, caught[0].filename), (4, 1, RuntimeWarning, __file__))
        self.assertRegex(str(caught[0].message), r"^map='x/2 \+ 0': / divides whole numbers as in C, and cuts the quotient: write 2.0 for 2, .*map_type='int64'")
        for more in ({}, {"axis": 0}, {"initial": 1}):
            self.assertEqual(self.warned(lambda: halves(np.arange(5), **more))[1], [])  # pylint: disable=cell-var-from-loop

    def test_every_expression_is_looked_at(self):
        for made, words in ((lambda: jr.Reduction("sum", map="1/2*x")(x), "1 / 2 is a whole number in C"), (lambda: jr.Reduction("sum", finish="a/n")(np.arange(3)), "finish='a/n': / divides"),
                            (lambda: jr.sum(np.arange(3), where="x/3 > 0"), "where='x/3 > 0': / divides"), (lambda: jr.max(np.arange(3, dtype="u4"), where="x > -1", initial=0), "where='x > -1': x > -1: x is unsigned"),
                            (lambda: jr.Plan(jr.Reduction("sum", map="x/7"), jr.DeviceArray.of(np.arange(3))), "map='x/7'"),
                            (lambda: jr.ExactState("sum", "int32", map="x/9", result="float64"), "map='x/9'"), (lambda: jr.group_by([1, 1], [1, 2], where="x/5 < 1"), "where='x/5 < 1'")):
            _, caught = self.warned(made)
            self.assertEqual(len(caught), 1, words)
            self.assertIn(words, str(caught[0].message))

    def test_what_is_meant_gives_no_warning(self):
        for call in (lambda: jr.Reduction("sum", map="x/4")(x), lambda: jr.Reduction("sum", map="x/4.0")(np.arange(3)), lambda: jr.Reduction("sum", map="x/4", map_type="int64")(np.arange(3)),
                     lambda: jr.Reduction("sum", finish="a/n")(x), lambda: jr.mean(np.arange(3))):
            self.assertEqual(self.warned(call)[1], [])


if __name__ == "__main__":
    unittest.main()
