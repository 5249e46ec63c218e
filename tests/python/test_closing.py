"""Contexts that are closed: what is told then, and what lives on."""

import sys
import unittest

import numpy as np

import jitreduce as jr


class Closing(unittest.TestCase):
    """Context.close, and with."""

    def test_a_context_is_closed_at_the_end_of_with(self):
        x = np.arange(5)
        with jr.Context("sim") as mine:
            self.assertIsInstance(mine, jr.Context)
            self.assertEqual(jr.sum(x, context=mine), 10)
        for use in (mine.device_info, mine.stats, lambda: jr.sum(x, context=mine), lambda: jr.Stream(context=mine),
                    lambda: jr.DeviceArray.of(x, context=mine), mine.__enter__):
            self.assertRaisesRegex(ValueError, "this jitreduce.Context is closed", use)
        mine.close()  # again
        self.assertIn("closed", repr(mine))
        self.assertFalse(hasattr(mine, "nothing"))
        self.assertEqual(jr.sum(x), 10)

    def test_an_error_in_with_closes_the_context_and_goes_on(self):
        with self.assertRaises(KeyError), jr.Context("sim") as mine:
            raise KeyError
        self.assertRaisesRegex(ValueError, "closed", mine.counters)

    def test_what_is_made_of_a_context_outlives_its_end(self):
        with jr.Context("sim") as mine:
            inner, alone = mine._context, object()
            kernel = jr.Kernel('extern "C" __global__ void set(int *y) { *y = 7; }', "set", context=mine)
            y = jr.DeviceArray.of(np.zeros(1, "i4"), context=mine)
            jr.sum(y, axis=0, context=mine)  # a plan, which is kept for the next call
        kernel(1, 1, (y,))
        self.assertEqual(jr.sum(y, value=True), 7)
        self.assertGreater(sys.getrefcount(inner), sys.getrefcount(alone))
        del kernel, y
        self.assertEqual(sys.getrefcount(inner), sys.getrefcount(alone))

    def test_a_default_context_that_was_closed_is_told(self):
        before = jr.default_context()
        self.addCleanup(jr.set_default_context, before)
        with jr.Context("sim") as mine:
            jr.set_default_context(mine)
            x = jr.DeviceArray.of(np.arange(5))
            self.assertEqual(jr.sum(x, value=True), 10)
        for use in (lambda: jr.sum(np.arange(5)), lambda: jr.sum(x), lambda: jr.sum(x, value=True)):
            self.assertRaisesRegex(ValueError, "closed", use)
        jr.set_default_context(before)
        self.assertEqual(jr.sum(x, value=True), 10)
