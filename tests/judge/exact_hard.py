"""Sums and dot products that are hard to get right, made so that their condition is about what is asked for."""

from fractions import Fraction

import numpy as np


def exact_dot(x, y):
    return sum((Fraction(a) * Fraction(b) for a, b in zip(x, y)), Fraction(0))


def dot_of_condition(count, condition, rng):
    """Two arrays of doubles, and the condition 2 * sum |x * y| / |sum x * y| that their product reached.

    T. Ogita, S. Rump, S. Oishi, "Accurate Sum and Dot Product" (2005), Algorithm 6.1: the first half has exponents of
    chance up to half the condition's, the second half cancels what there is, down to exponents of 0. The sum so far is
    kept as a fraction, not computed anew."""
    bits, half = np.log2(condition), (count + 1) // 2
    exponents = np.rint(rng.random(half) * bits / 2)
    exponents[0], exponents[-1] = np.rint(bits / 2) + 1, 0
    x = np.ldexp(2 * rng.random(half) - 1, exponents.astype(int)).tolist()
    y = np.ldexp(2 * rng.random(half) - 1, exponents.astype(int)).tolist()
    total = exact_dot(x, y)
    for exponent in np.rint(np.linspace(bits / 2, 0, count - half)).astype(int).tolist():
        x.append(float(np.ldexp(2 * rng.random() - 1, exponent)))
        y.append(float((Fraction(np.ldexp(2 * rng.random() - 1, exponent)) - total) / Fraction(x[-1])))
        total += Fraction(x[-1]) * Fraction(y[-1])
    sizes = exact_dot(np.abs(x), np.abs(y))
    order = rng.permutation(count)
    return np.array(x)[order], np.array(y)[order], float(2 * sizes / abs(total)) if total else np.inf


def sum_of_condition(x, y):
    """Twice as many numbers whose sum is that of the products, exactly: each rounded, and what that lost."""
    terms = []
    for a, b in zip(x.tolist(), y.tolist()):
        terms += [a * b, float(Fraction(a) * Fraction(b) - Fraction(a * b))]
    return np.array(terms)


def anderson(count, rng):
    """Numbers less their mean: their sum is far below each of them. I. Anderson, "A Distillation Algorithm for
    Floating-Point Summation" (1999)."""
    x = rng.random(count)
    return x - x.mean()
