"""Functions that are made of others (without NaN, ranges, counts, weighted means, covariances), held against NumPy, in both memories."""

import itertools
import warnings

import numpy as np

import jitreduce as jr
from test_reductions import Judged, numbers, sample

HOLED = np.array([[3, np.nan, 4, -1], [np.nan, 5, 9, 2], [6, 5, np.nan, 8]])
NAN = ("nansum", "nanprod", "nanmin", "nanmax", "nanargmin", "nanargmax", "nanmean", "nanvar", "nanstd")


def judged(test, name, arrays, theirs, close=True, **options):
    """The function gives the same for arrays in host and in device memory, twice."""
    test.same(getattr(jr, name)(*arrays, **options), theirs, name, close=close)
    on_device = [jr.DeviceArray.of(x) for x in arrays]
    placed = {key: jr.DeviceArray.of(value) if isinstance(value, np.ndarray) else value for key, value in options.items()}
    for _ in range(2):
        found = getattr(jr, name)(*on_device, **placed)
        test.same(found.numpy(), np.asarray(theirs), name, close=close)


class WithoutNan(Judged):
    """NumPy's names for nan="ignore"."""

    def test_every_function_along_every_axis(self):
        for name, axis in sample([*itertools.product(NAN, (None, 0))], 0, 3):
            with self.subTest(name=name, axis=axis):
                self.same(getattr(jr, name)(HOLED, axis=axis), getattr(np, name)(HOLED, axis=axis), close=True)
        judged(self, "nanmax", (HOLED,), np.nanmax(HOLED, axis=0), axis=0)
        self.same(jr.nanvar(HOLED, correction=1), np.nanvar(HOLED, ddof=1), close=True)
        self.same(jr.nansum(HOLED.astype("f4"), dtype="float64", where="x > 2"), np.nansum(np.where(HOLED > 2, HOLED, 0)))

    def test_integers_and_nans_alone(self):
        self.same(jr.nansum(np.arange(5)), np.int64(10))
        nothing = np.full(3, np.nan)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            for name in ("nansum", "nanprod", "nanmax", "nanmean"):
                self.same(getattr(jr, name)(nothing), getattr(np, name)(nothing))
        self.assertRaises(ValueError, jr.nanargmax, nothing)

    def test_another_nan_is_refused(self):
        self.assertRaisesRegex(ValueError, "nansum skips NaN: nan='propagate' is another function's, sum", jr.nansum, HOLED, nan="propagate")


class Counts(Judged):
    """count and ptp."""

    def test_counts(self):
        for axis in (None, 0, (0, 1)):
            judged(self, "count", (HOLED,), np.int64(12) if axis != 0 else np.full(4, 3), axis=axis)
            kept = np.sum(~np.isnan(HOLED), axis=axis)
            judged(self, "count", (HOLED,), kept, axis=axis, nan="ignore")
            judged(self, "count", (HOLED,), np.sum(HOLED > 4, axis=axis), axis=axis, where=HOLED > 4)
        self.same(jr.count(np.arange(6), where="x > q", parameters={"q": 3}, nan="ignore"), np.int64(2))
        self.same(jr.count(np.ma.masked_array([1, 2, 3], [True, False, False])), np.int64(2))
        self.assertEqual(jr.count(np.zeros(0)), 0)

    def test_ranges(self):
        for turn, dtype in enumerate("Bfe"):
            x = numbers(dtype, (5, 6))
            for axis in sample((None, 0), turn, 2):
                judged(self, "ptp", (x,), np.ptp(x, axis=axis), close=False, axis=axis)
        self.same(jr.ptp(np.array([200, 1], "u1")), np.uint8(199))
        self.same(jr.ptp(HOLED, nan="ignore"), np.float64(10))
        self.assertEqual(jr.ptp(memoryview(b"\x03\x09")), 6)
        self.assertRaisesRegex(jr.EmptyInputError, "zero-size array", lambda: jr.ptp(np.zeros(0)))


class Pairs(Judged):
    """Weighted means, covariances, correlations."""

    def test_weighted_means(self):
        x, weights = numbers("d", (6, 5)), np.abs(numbers("d", (6, 5))) + 1
        for axis in (None, 0):
            judged(self, "average", (x,), np.average(x, weights=weights, axis=axis), weights=weights, axis=axis)
            judged(self, "average", (x,), np.average(x, axis=axis), axis=axis)
        for one, other in sample(("bf", "fb", "fh", "fi", "df", "eb", "ee", "eh"), 1, 3):
            theirs = np.average(x.astype(one), weights=weights.astype(other))
            self.same(jr.average(x.astype(one), weights=weights.astype(other)), theirs, f"{one} {other}", close=True)
        self.same(jr.average(x, weights=weights, where="x > 0"), np.average(x[x > 0], weights=weights[x > 0]), close=True)
        self.same(jr.average(x[:, ::2], weights=weights[:, ::2]), np.average(x[:, ::2], weights=weights[:, ::2]), close=True)
        self.same(jr.average(HOLED, weights=np.ones((3, 4)), nan="ignore"), np.nanmean(HOLED), close=True)
        self.assertEqual(jr.average([3, 1, 4], weights=[1, 0, 3]), 3.75)

    def test_weights_may_have_the_shape_of_the_axes_that_are_reduced(self):
        x, weights = numbers("d", (6, 5, 2)), np.abs(numbers("d", (6, 5, 2))) + 1
        for axis, of in ((0, weights[:, 1, 0]), (-2, weights[0, :, 0]), (1, weights[0, ::-1, 0]), ((0, 2), weights[:, 0]), ((2, 0), weights[:, 0].T)):
            wanted = np.average(x, weights=of, axis=axis) if np.ndim(of) == 1 else np.average(
                x, weights=np.broadcast_to(weights[:, :1], x.shape), axis=axis)
            for _ in range(2):  # the second one is replayed
                self.same(jr.average(x, weights=of, axis=axis), wanted, close=True)
                self.same(jr.average(jr.DeviceArray.of(x), weights=jr.DeviceArray.of(of), axis=axis).numpy(), wanted, close=True)
        self.same(jr.average(x, weights=weights[:, 1, 0], axis=0, where="x > 0"), np.ma.average(np.ma.masked_array(x, x <= 0), weights=weights[:, 1, 0], axis=0).filled(np.nan), close=True)
        for axis, of in ((None, weights[:, 0, 0]), (1, weights[:, 0, 0]), ((0, 1), weights[0])):
            self.assertRaisesRegex(ValueError, "arrays are not broadcast", jr.average, x, weights=of, axis=axis)

    def test_covariances_and_correlations(self):
        x, y = numbers("d", (4, 50)), numbers("d", (4, 50))
        judged(self, "covariance", (x[0], y[0]), np.cov(x[0], y[0])[0, 1])
        judged(self, "covariance", (x[0], y[0]), np.cov(x[0], y[0], ddof=0)[0, 1], correction=0)
        judged(self, "correlation", (x[0], y[0]), np.corrcoef(x[0], y[0])[0, 1])
        judged(self, "covariance", (x, y), np.array([np.cov(a, b)[0, 1] for a, b in zip(x, y)]), axis=1)
        judged(self, "correlation", (x, y), np.array([np.corrcoef(a, b)[0, 1] for a, b in zip(x, y)]), axis=1)
        for a, b in ((x[0], y[0]), (x[0].astype("f4"), y[0].astype("i2")), (x[0, ::-1], y[0])):
            self.same(jr.cov(a, b), np.cov(a, b), close=True)
            self.same(jr.cov(a, b, correction=0), np.cov(a, b, ddof=0), close=True)
            self.same(jr.corrcoef(a, b), np.corrcoef(a, b), close=True)
            self.same(jr.cov(jr.DeviceArray.of(a), jr.DeviceArray.of(b)), np.cov(a, b), close=True)
        kept = x[0] > 0
        self.same(jr.cov(x[0], y[0], where=kept), np.cov(x[0][kept], y[0][kept]), close=True)
        self.same(jr.cov(np.ma.masked_array(x[0], ~kept), y[0]), np.cov(x[0][kept], y[0][kept]), close=True)

    def test_a_large_mean_loses_nothing(self):
        x = 1e9 + np.arange(4096) % 7
        np.testing.assert_allclose(jr.cov(x, -x), np.cov(x, -x), rtol=1e-9)
        np.testing.assert_allclose(jr.corrcoef(x, -x), [[1, -1], [-1, 1]], rtol=1e-12)

    def test_what_has_no_value_is_nan_or_refused(self):
        for found in (jr.covariance([1.0], [2.0]), jr.correlation([1.0, 1], [1.0, 2]), jr.cov([1.0], [2.0])[0][1], jr.corrcoef([1.0, 1], [1.0, 2])[0][1]):
            self.assertTrue(np.isnan(found))
        self.assertRaisesRegex(ValueError, "cov takes two arrays of one dimension.*jitreduce.covariance", jr.cov, HOLED, HOLED)
        self.assertRaisesRegex(ValueError, "correlation has no exact or reproducible form: omit exact", jr.correlation, [1.0], [2.0], exact=True)
        self.assertRaisesRegex(ValueError, "shapes", lambda: jr.covariance(np.ones(3), np.ones(4)))


class Ranges(Judged):
    """What ptp gives where the range does not fit, and of nothing."""

    def test_a_range_that_does_not_fit_wraps_without_a_warning(self):
        x = np.array([100, -100], "i1")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.same(jr.ptp(x), np.ptp(x))
        self.same(jr.ptp(np.float32([2, 5])), np.ptp(np.float32([2, 5])))

    def test_a_range_of_nothing_is_named_so(self):
        for function in (jr.ptp, jr.minmax):
            with self.assertRaises(jr.EmptyInputError) as caught:
                function(np.ones((0, 3)))
            self.assertNotIn("omit", str(caught.exception))
