"""Expressions that Python's habits, or a missing array, make wrong: what to write instead is said before any compile."""

import unittest

import numpy as np

import jitreduce as jr


class Hints(unittest.TestCase):
    """Messages of expressions that are refused."""

    def refused(self, words, *arrays, **expressions):
        """The reduction raises, with these words."""
        self.assertRaisesRegex(jr.InvalidExpressionError, words, lambda: jr.Reduction("sum", **expressions)(*arrays))

    def test_an_array_that_is_missing_is_named(self):
        x = np.ones(3)
        self.refused("y is the second input, and there is one: pass one more array", x, map="x * y")
        self.refused("z is the third input, and there are two: pass one more array", x, x, where="z > 0")
        self.assertEqual(jr.Reduction("sum", map="x * y")(x, x), 3)

    def test_words_of_python_are_translated(self):
        for x in (np.ones(3), np.arange(3)):
            self.refused(r"C has no operator \*\*: write x\*x or pow\(x, 2\)", x, map="x ** 2")
            self.refused("chooses with [?] and :", x, map="x if x > 1 else 0")
            self.refused("the operator's sign, &&", x, where="x > 1 and x < 3")
            self.refused("write a function's name alone", x, map="np.sqrt(x)")
            self.refused("did you mean 'sqrt'", x, map="sqrrt(x)")
