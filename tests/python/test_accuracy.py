"""Sums that are rounded once, held against Python's math.fsum and fractions, and those of one fixed tree."""

import fractions
import itertools
import math
import unittest

import numpy as np

import jitreduce as jr

RANDOM = np.random.default_rng(11)


def hostile(count, dtype="f8"):
    """Numbers of a wide range of exponents, of whose sum all but little cancels."""
    wide, tiny = (20, 1e-9) if dtype == "f8" else (9, 1e-5)
    half = (RANDOM.standard_normal(count) * 10.0 ** RANDOM.integers(-wide, wide, count)).astype(dtype)
    return RANDOM.permutation(np.concatenate((half, -half[1:], half[:2] * np.dtype(dtype).type(tiny))))


class Exact(unittest.TestCase):
    """exact=True, and accuracy="exact"."""

    def test_sums_are_those_of_fsum(self):
        x = hostile(3000)
        self.assertNotEqual(jr.sum(x), math.fsum(x))  # what is judged is not easy
        for words in ({"exact": True}, {"accuracy": "exact"}, {"accuracy": "exact", "exact": True}):
            found = jr.sum(x, **words)
            self.assertEqual((found, type(found)), (math.fsum(x), np.float64))
        self.assertEqual(jr.sum(x, exact=True, initial=2.5), math.fsum([*x, 2.5]))
        self.assertEqual(jr.sum(x, exact=True, where=x > 0), math.fsum(x[x > 0]))
        self.assertEqual(jr.sum(x, exact=True, value=True), math.fsum(x))
        self.assertEqual(jr.norm(x, ord=1, exact=True), math.fsum(abs(x)))

    def test_sums_of_a_wider_dtype_are_rounded_to_that(self):
        x = hostile(500, "f4")
        self.assertEqual(jr.sum(x, dtype="float64", exact=True), math.fsum(x.astype("f8")))
        self.assertEqual(jr.sum(np.arange(5), dtype="float32", exact=True), np.float32(10))

    def test_axes_and_scans_are_exact(self):
        x = hostile(300)[:600].reshape(6, 100)
        np.testing.assert_array_equal(jr.sum(x, axis=1, exact=True), [math.fsum(row) for row in x])
        np.testing.assert_array_equal(jr.sum(x, axis=0, exact=True), [math.fsum(column) for column in x.T])
        np.testing.assert_array_equal(jr.cumulative_sum(x[0], exact=True), [math.fsum(x[0][:n + 1]) for n in range(100)])

    def test_products_means_and_variances_are_those_of_fractions(self):
        x, y = hostile(200, "f4"), hostile(200, "f4")
        exact = [fractions.Fraction(float(number)) for number in x]
        product = sum(a * fractions.Fraction(float(b)) for a, b in zip(exact, y))
        self.assertEqual(jr.dot(x.astype("f8"), y.astype("f8"), exact=True), float(product))
        self.assertEqual(jr.mean(x.astype("f8"), exact=True), float(sum(exact) / len(exact)))
        mean = sum(exact) / len(exact)
        for correction in (0, 1):
            variance = sum((number - mean) ** 2 for number in exact) / (len(exact) - correction)
            self.assertEqual(jr.var(x.astype("f8"), exact=True, correction=correction), float(variance))

    def test_lists_reductions_plans_and_device_arrays_are_exact(self):
        x = hostile(400)
        self.assertEqual(jr.reduce(x, ("sum", "mean"), exact=True)[0], math.fsum(x))
        self.assertEqual(jr.Reduction("sum", map="-x")(x, exact=True), -math.fsum(x))
        on_device = jr.DeviceArray.of(x)
        self.assertEqual(jr.sum(on_device, exact=True).numpy(), math.fsum(x))
        self.assertEqual(jr.Plan("sum", on_device, exact=True).value(on_device), math.fsum(x))

    def test_what_has_no_exact_form_and_wrong_words_are_told(self):
        x = np.ones(3)
        self.assertRaisesRegex(jr.UnsupportedTypeError, "prod of float64 has no exact form", jr.prod, x, exact=True)
        self.assertEqual(jr.max(x, exact=True), 1)  # rounds nothing
        for words in ({"exact": True, "accuracy": "fast"}, {"accuracy": "right"}, {"accuracy": 1}):
            self.assertRaisesRegex(ValueError, "accuracy=", jr.sum, x, **words)


class Reproducible(unittest.TestCase):
    """accuracy="reproducible"."""

    def test_every_tuning_has_the_same_bits(self):
        x = hostile(5000, "f4")
        tunings = [{"block": block, "unroll": unroll} for block, unroll in itertools.product((64, 256), (1, 4))]
        plain = {jr.sum(x, **tuning).tobytes() for tuning in tunings}
        self.assertGreater(len(plain), 1)  # that which is judged
        for function in (jr.sum, jr.logsumexp):
            found = {function(x, accuracy="reproducible", **tuning).tobytes() for tuning in tunings}
            self.assertEqual(len(found), 1, function)

    def test_the_tree_halves_at_the_greatest_power_of_two(self):
        x = hostile(50, "f4")[:77]

        def fold(part):
            if len(part) == 1:
                return part[0]
            left = 1 << (len(part) - 1).bit_length() - 1
            return np.float32(fold(part[:left]) + fold(part[left:]))

        self.assertEqual(jr.sum(x, accuracy="reproducible"), fold(x))

    def test_scans_have_no_such_tree(self):
        self.assertRaisesRegex(jr.NotApplicableError, "a scan has no fixed tree", lambda: jr.cumulative_sum(np.ones(3), accuracy="reproducible"))
