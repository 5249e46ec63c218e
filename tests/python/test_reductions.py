"""Reductions of NumPy's arrays, held against NumPy: operators, types, axes, orders in memory, arguments."""

import fractions
import itertools
import os
import unittest

import numpy as np

import jitreduce as jr

TYPES = "?bhilBHILefd"
RANDOM = np.random.default_rng(7)


def sample(values, turn, one_in=3):
    """One in so many of the values of a table, from that of this turn on; where JR_TESTS is whole all of them."""
    return values if os.environ.get("JR_TESTS") == "whole" else values[turn % one_in::one_in]


def numbers(dtype, shape):
    """Whole numbers that every type holds and whose sums are exact."""
    low = -9 if np.dtype(dtype).kind in "if" else 0
    return RANDOM.integers(low, 2 if dtype == "?" else 10, shape).astype(dtype)


class Judged(unittest.TestCase):
    """Comparisons with what NumPy says."""

    def same(self, ours, theirs, message="", close=False):
        """Value, shape and type are NumPy's; close: but for the last bits."""
        self.assertEqual((type(ours), np.shape(ours)), (type(theirs), np.shape(theirs)), message)
        self.assertEqual(ours.dtype, theirs.dtype, message)
        (np.testing.assert_allclose if close else np.testing.assert_array_equal)(
            ours, theirs, **({"rtol": 1e-3 if ours.dtype == "e" else 1e-5} if close else {}), err_msg=message)


class Operators(Judged):
    """All operators over all types."""

    def test_every_operator_over_every_type_is_numpys(self):
        names = ("sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "mean", "var", "std", "count_nonzero")
        for dtype, name in ((dtype, name) for turn, dtype in enumerate(TYPES) for name in sample(names, turn, 6)):
            x = numbers(dtype, (4, 5))
            if name == "prod":
                x = x % 2 + np.ones_like(x) if dtype != "?" else x
            theirs = getattr(np, name)(x)
            if name == "count_nonzero":
                theirs = np.int64(theirs)
            with self.subTest(dtype=dtype, name=name):
                self.same(getattr(jr, name)(x), theirs, close=name in ("mean", "var", "std"))

    def test_results_along_an_axis_have_the_operators_type(self):
        for dtype, name in ((dtype, name) for turn, dtype in enumerate("ble?") for name in sample(("sum", "max", "argmax", "any", "mean"), turn)):
            x = numbers(dtype, (4, 5))
            with self.subTest(dtype=dtype, name=name):
                self.same(getattr(jr, name)(x, axis=1), getattr(np, name)(x, axis=1), close=name == "mean")


class Axes(Judged):
    """Axes, and how arrays lie in memory."""

    def test_every_choice_of_axes_in_every_order_of_memory(self):
        x = numbers("i", (2, 3, 4))
        for order in itertools.permutations(range(3)):
            y = np.transpose(np.ascontiguousarray(np.transpose(x, order)), np.argsort(order))
            for count in range(4):
                for axes in itertools.combinations(range(3), count):
                    for keepdims in (False, True):
                        with self.subTest(order=order, axes=axes, keepdims=keepdims):
                            ours = jr.sum(y, axis=axes, keepdims=keepdims)
                            self.same(ours, np.sum(y, axis=axes, keepdims=keepdims, dtype="l"))

    def test_negative_axes_and_none(self):
        x = numbers("d", (3, 4))
        for axis in (-1, -2, (-1, 0), None, 1):
            self.same(jr.max(x, axis=axis), np.max(x, axis=axis))
            self.same(jr.max(x, axis=axis, keepdims=True), np.max(x, axis=axis, keepdims=True))

    def test_a_wrong_axis_is_named(self):
        for axis, words in ((2, "axis 2 is out of range"), ((0, -2), "names an axis twice")):
            self.assertRaisesRegex(ValueError, words, lambda: jr.sum(np.zeros((2, 2)), axis=axis))
        self.assertRaises(TypeError, lambda: jr.sum(np.zeros((2, 2)), axis=1.5))
        self.assertRaisesRegex(TypeError, "one axis", lambda: jr.argmin(np.zeros((2, 2)), axis=(0, 1)))

    def test_argmax_of_fortrans_order_goes_by_c_order(self):
        x = np.asfortranarray(numbers("b", (6, 7)))
        for axis in (0, 1):
            self.same(jr.argmax(x, axis=axis), np.argmax(x, axis=axis))
        self.same(jr.argmax(x), np.argmax(x))

    def test_more_axes_than_the_library_has_are_merged(self):
        x = numbers("f", (2,) * 12)
        self.same(jr.sum(x, axis=(0, 1, 2, 6, 7)), np.sum(x, axis=(0, 1, 2, 6, 7)))
        self.assertRaisesRegex(ValueError, "axes after merging", lambda: jr.sum(x, axis=tuple(range(0, 12, 2))))

    def test_axes_without_elements(self):
        x = np.zeros((3, 0, 2), "f")
        for axis in (0, 1, 2, None, (0, 1)):
            self.same(jr.sum(x, axis=axis), np.sum(x, axis=axis))
        self.same(jr.max(x, axis=0), np.max(x, axis=0))
        for call in (lambda: jr.max(x), lambda: jr.max(x, axis=1), lambda: jr.argmax(x)):
            self.assertRaises(jr.EmptyInputError, call)
        self.same(jr.max(x, axis=1, initial=3), np.max(x, axis=1, initial=3))

    def test_an_array_without_axes(self):
        self.same(jr.sum(np.array(7, "i2")), np.sum(np.array(7, "i2")))
        self.same(jr.sum(np.float32(7)), np.float32(7))

    def test_a_list_of_one_operator_has_results_one_behind_the_other(self):
        x = numbers("d", (50, 3))
        (sums,) = jr.reduce(x, ("sum",), axis=1)
        self.same(sums, x.sum(axis=1))
        out = np.zeros(50)
        (found,) = jr.Reduction(("sum",), map="x")(x, axis=1, out=out)
        self.assertIs(found, out)
        self.same(out, x.sum(axis=1))


class Arguments(Judged):
    """dtype, where, initial, correction, out, nan, parameters."""

    def test_dtype_is_that_of_the_result_and_of_the_sum(self):
        for have, want in ((have, want) for turn, have in enumerate("bBilfd") for want in sample("bBilefd?", turn + 3, 8)):
            x = np.abs(numbers(have, (5, 6)))  # what a negative float is as an unsigned integer C does not say
            with self.subTest(have=have, want=want):
                self.same(jr.sum(x, axis=0, dtype=np.dtype(want)), np.sum(x, axis=0, dtype=want))
        for name in ("mean", "var", "std"):
            for want in sample("efd", len(name), 2):
                x = numbers("d", 50)
                self.same(getattr(jr, name)(x, dtype=np.dtype(want)),
                          getattr(np, name)(x).astype(want), close=True)
            self.assertRaisesRegex(TypeError, "must be a float", lambda: getattr(jr, name)(numbers("i", 9), dtype=np.int32))
        self.assertRaisesRegex(TypeError, "complex64", lambda: jr.sum(numbers("i", 9), dtype="complex64"))

    def test_the_mean_of_integers_is_the_nearest_number_of_its_dtype(self):
        generator = np.random.default_rng(7)
        for kind, want, count in ((kind, want, count) for turn, kind in enumerate("bhilBHIL") for want in sample("efd", turn) for count in (9, 1000)):
            limits = np.iinfo(kind)
            x = generator.integers(limits.min // 2, limits.max // 2, count, kind) // (1 if want == "d" else 3)
            if want == "e":
                x = x % 100
            mean = fractions.Fraction(int(x.sum(dtype=object)), count)
            with self.subTest(kind=kind, want=want, count=count):
                found = jr.mean(x, dtype=np.dtype(want))
                self.assertEqual(found.dtype, np.dtype(want))
                apart = [abs(fractions.Fraction(float(y)) - mean) for y in
                         (found, np.nextafter(found, found.dtype.type(-np.inf)), np.nextafter(found, found.dtype.type(np.inf)))]
                self.assertEqual(apart[0], min(apart))

    def test_where_is_an_array_of_booleans(self):
        for order in "CF":
            x = np.asarray(numbers("f", (5, 6)), order=order)
            mask = np.asarray(numbers("?", (5, 6)), order=order)
            mask[:, 0] = mask[0] = True
            for axis in (None, 0, 1):
                self.same(jr.sum(x, axis=axis, where=mask), np.sum(x, axis=axis, where=mask))
                self.same(jr.mean(x, axis=axis, where=mask), np.mean(x, axis=axis, where=mask), close=True)
                self.same(jr.max(x, axis=axis, where=mask, initial=-99),
                          np.max(x, axis=axis, where=mask, initial=-99))

    def test_where_that_does_not_fit_is_refused(self):
        x = numbers("f", (5, 6))
        for where, error, words in ((np.ones((5, 6), "i"), TypeError, "not of bool"),
                                    (np.ones(5, "?"), ValueError, "cannot be broadcast"),
                                    ("x > q", ValueError, "'q'")):
            self.assertRaisesRegex(error, words, jr.sum, x, where=where)
        self.assertRaises(jr.EmptyInputError, jr.min, x, where="x > 1e6")

    def test_where_is_an_expression_with_parameters(self):
        x = numbers("i", 50)
        for least in (0, 3):
            self.same(jr.sum(x, where="x > least", parameters={"least": least}), np.sum(x, where=x > least))
        self.same(jr.sum(x, where="i % 2 == 0"), np.sum(x[::2]))
        y = np.asfortranarray(numbers("i", (4, 4)))
        self.same(jr.sum(y, where="i > 3"), np.sum(y[1:]))

    def test_initial_comes_first(self):
        x = numbers("i", (3, 4))
        self.same(jr.sum(x, initial=2**40), np.sum(x, initial=2**40))
        self.same(jr.prod(x, axis=1, initial=-1), np.prod(x, axis=1, initial=-1))
        self.same(jr.min(x, initial=-100), np.min(x, initial=-100))
        self.assertRaises(OverflowError, lambda: jr.max(numbers("b", 3), initial=300))
        with self.assertRaises(ValueError):
            jr.Context("sim")  # a context opened in between changes nothing
            jr._functions._one("any", (x,), {}, (None, False, None, 1, None), {})

    def test_correction_of_var_and_std(self):
        x = numbers("d", (4, 5))
        for correction in (0, 1, 1.5):
            for name in ("var", "std"):
                divisor = 5 - correction
                theirs = np.var(x, axis=1) * 5 / divisor
                ours = getattr(jr, name)(x, axis=1, correction=correction)
                np.testing.assert_allclose(ours if name == "var" else ours**2, theirs, rtol=1e-12)

    def test_out_is_filled_and_returned(self):
        x = numbers("i", (3, 4))
        out = np.full(3, -1, "l")
        self.assertIs(jr.sum(x, axis=1, out=out), out)
        np.testing.assert_array_equal(out, x.sum(axis=1))
        number = np.zeros((), "l")
        self.assertIs(jr.sum(x, out=number), number)
        self.assertEqual(number, x.sum())
        whole = np.zeros((1, 1), "i")
        jr.max(x, keepdims=True, out=whole)
        self.assertEqual(whole[0, 0], x.max())

    def test_out_that_does_not_fit_is_refused(self):
        x, read = numbers("i", (3, 4)), np.zeros(3, "l")
        read.flags.writeable = False
        for out, words in ((np.zeros(3, "i"), "has int64"), (np.zeros(4, "l"), r"\(3,\)"), (read, "read-only"),
                           (np.zeros(6, "l")[::2], "strides")):
            self.assertRaisesRegex(ValueError, words, jr.sum, x, axis=1, out=out)
            self.assertFalse(out.any())

    def test_nan_propagates_or_is_ignored(self):
        x = np.array([3, np.nan, -1], "f")
        self.same(jr.min(x), np.min(x))
        self.same(jr.min(x, nan="ignore"), np.nanmin(x))
        self.same(jr.sum(x, nan="ignore"), np.nansum(x))
        self.assertRaisesRegex(ValueError, "propagate", jr.min, x, nan="drop")

    def test_unknown_arguments_are_named(self):
        self.assertRaisesRegex(TypeError, "'axes'", lambda: jr.sum(np.zeros(3), axes=0))
        self.assertRaisesRegex(ValueError, "device memory", lambda: jr.sum(np.zeros(3), stream=1))

    def test_tuning_can_be_given(self):
        x = numbers("f", 5000)
        self.same(jr.sum(x, algorithm="two_pass", unroll=2, block=64, grid=3), np.sum(x))
        self.assertEqual([jr.default_context().stats()[name] for name in ("algorithm", "unroll", "block", "grid")],
                         ["two_pass", 2, 64, 3])
