"""Cumulative sums and products, held against NumPy."""

import itertools

import numpy as np

import jitreduce as jr
from test_reductions import Judged, numbers, sample


class Scans(Judged):
    """Types, axes, the initial number, out."""

    def test_every_type(self):
        for dtype in sample("?bhilBHILefd", 1, 3):
            x = numbers(dtype, 300 if dtype != "e" else 30)
            with self.subTest(dtype=dtype):
                self.same(jr.cumulative_sum(x), np.cumsum(x))

    def test_every_axis_in_every_order_with_and_without_the_initial_number(self):
        x = numbers("i", (3, 4, 5))
        for order, axis in itertools.product(itertools.permutations(range(3)), range(-3, 3)):
            y = np.transpose(np.ascontiguousarray(np.transpose(x, order)), np.argsort(order))
            theirs = np.cumsum(y, axis=axis, dtype="l")
            with self.subTest(order=order, axis=axis):
                self.same(jr.cumulative_sum(y, axis=axis), theirs)
                first = np.zeros_like(theirs.take([0], axis=axis))
                self.same(jr.cumulative_sum(y, axis=axis, include_initial=True),
                          np.concatenate([first, theirs], axis=axis))

    def test_exclusive_scans_leave_each_element_out(self):
        x = numbers("i", (3, 4, 5))
        for axis in range(-3, 3):
            self.same(jr.cumulative_sum(x, axis=axis, exclusive=True), np.cumsum(x, axis=axis, dtype="l") - x)
        y = numbers("l", 9)
        self.same(jr.cumulative_sum(y, exclusive=True), np.cumsum(y) - y)
        self.same(jr.cumulative_prod(y, exclusive=True), np.append(1, np.cumprod(y[:-1])))
        self.same(jr.cumulative_sum(np.zeros(0), exclusive=True), np.zeros(0))
        out = np.zeros(9, "l")
        self.assertIs(jr.cumulative_sum(y, exclusive=True, out=out), out)
        self.same(out, np.cumsum(y) - y)
        self.assertRaisesRegex(ValueError, "give one of them", jr.cumulative_sum, y, exclusive=True, include_initial=True)

    def test_products(self):
        x = numbers("d", (6, 4))
        self.same(jr.cumulative_prod(x, axis=0), np.cumprod(x, axis=0))
        self.same(jr.cumulative_prod(x[0], include_initial=True), np.concatenate([[1.0], np.cumprod(x[0])]))

    def test_dtype(self):
        x = numbers("b", 40)
        for want in sample("bilfd", 0, 2):
            self.same(jr.cumulative_sum(x, dtype=np.dtype(want)), np.cumsum(x, dtype=want))

    def test_arrays_without_elements(self):
        self.same(jr.cumulative_sum(np.zeros(0)), np.zeros(0))
        self.same(jr.cumulative_sum(np.zeros(0), include_initial=True), np.zeros(1))
        self.same(jr.cumulative_prod(np.zeros((2, 0)), axis=1, include_initial=True), np.ones((2, 1)))
        self.same(jr.cumulative_sum(np.zeros((2, 0)), axis=0, include_initial=True), np.zeros((3, 0)))

    def test_out(self):
        x, out = numbers("l", 9), np.zeros(9, "l")
        self.assertIs(jr.cumulative_sum(x, out=out), out)
        np.testing.assert_array_equal(out, np.cumsum(x))
        self.assertIs(jr.cumulative_sum(x, out=x), x)
        np.testing.assert_array_equal(out, x)

    def test_several_dimensions_need_an_axis(self):
        self.assertRaisesRegex(ValueError, "needs an axis", lambda: jr.cumulative_sum(np.zeros((2, 2))))
