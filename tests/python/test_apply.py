"""Rows that are reduced and applied: against NumPy in float64."""

import unittest

import jitreduce
import numpy

from producers import OwnArray, made
from test_reductions import sample

LENGTHS = {"f4": (1, 64, 257, 5000), "f2": (40,), "f8": (65,)}  # each length and type compiles anew


def softmax(x):
    e = numpy.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def layer_norm(x, w, b):
    return (x - x.mean(-1, keepdims=True)) / numpy.sqrt(x.var(-1, keepdims=True) + 1e-5) * w + b


class Apply(unittest.TestCase):
    def setUp(self):
        self.random = numpy.random.default_rng(44)

    def close(self, found, wanted, dtype):
        self.assertEqual(found.dtype, numpy.dtype(dtype))
        self.assertEqual(found.shape, wanted.shape)
        relative = {"f2": 1e-3, "f4": 5e-6, "f8": 1e-13}[dtype]
        numpy.testing.assert_allclose(found.astype("f8"), wanted, rtol=relative, atol=relative)

    def test_formulas_are_numpys(self):
        for turn, (dtype, length) in enumerate((dtype, length) for dtype, lengths in LENGTHS.items() for length in lengths):
            x = self.random.standard_normal((2, 3, length)).astype(dtype)
            w, b = (self.random.standard_normal(length).astype(dtype) for _ in range(2))
            X, W, B = (a.astype("f8") for a in (x, w, b))
            low, high = X.min(-1, keepdims=True), X.max(-1, keepdims=True)
            formulas = [(lambda: jitreduce.softmax(x), lambda: softmax(X)),
                        (lambda: jitreduce.normalize(x, ord=1), lambda: X / numpy.linalg.norm(X, 1, -1, keepdims=True)),
                        (lambda: jitreduce.layer_norm(x, w, b), lambda: layer_norm(X, W, B)),
                        (lambda: jitreduce.log_softmax(x), lambda: numpy.log(softmax(X))),
                        (lambda: jitreduce.normalize(x, ord=2), lambda: X / numpy.linalg.norm(X, 2, -1, keepdims=True)),
                        (lambda: jitreduce.layer_norm(x), lambda: layer_norm(X, 1, 0)),
                        (lambda: jitreduce.rms_norm(x, w), lambda: X / numpy.sqrt((X * X).mean(-1, keepdims=True) + 1e-6) * W),
                        (lambda: jitreduce.normalize(x, ord=numpy.inf), lambda: X / numpy.linalg.norm(X, numpy.inf, -1, keepdims=True)),
                        (lambda: jitreduce.layer_norm(x, None, b), lambda: layer_norm(X, 1, B))]
            if length > 1:
                formulas += [(lambda: jitreduce.zscore(x, correction=1), lambda: (X - X.mean(-1, keepdims=True)) / X.std(-1, ddof=1, keepdims=True)),
                             (lambda: jitreduce.minmax_scale(x), lambda: (X - low) / (high - low))]
            with self.subTest(dtype=dtype, length=length):
                for found, wanted in sample(formulas, turn):
                    self.close(found(), wanted(), dtype)

    def test_a_constant_row_far_from_0_is_normalised_to_the_bias(self):
        x, b = numpy.full((2, 100), 1234567.9, "f4"), numpy.arange(100, dtype="f4")
        self.close(jitreduce.layer_norm(x, None, b), numpy.broadcast_to(b, (2, 100)).astype("f8"), "f4")

    def test_moments_of_a_row_whose_first_element_is_far_from_the_others(self):
        for dtype, length in (("f4", 3), ("f4", 300), ("f8", 300), ("f4", 5000)):
            x = self.random.standard_normal((3, length)).astype(dtype)
            x[0, 0], x[1] = 1e6, x[1] + 1e6
            X = x.astype("f8")
            with self.subTest(dtype=dtype, length=length):
                variance = X.var(-1, ddof=1, keepdims=True)
                self.close(jitreduce.apply(x, "r", op="var", correction=1), numpy.broadcast_to(variance, X.shape), dtype)
                self.close(jitreduce.apply(x, "x > 0 ? r0 : r1", op=("mean", "var")),
                           numpy.where(X > 0, X.mean(-1, keepdims=True), X.var(-1, keepdims=True)), dtype)
                some = numpy.ma.masked_array(X, X <= 0.5).var(-1, keepdims=True).filled(numpy.nan)
                found = jitreduce.apply(x, "r", op="var", where="x > 0.5")
                numpy.testing.assert_allclose(found, numpy.broadcast_to(some, X.shape), rtol=5e-6 if dtype == "f4" else 1e-9)
                x[2, 0] = numpy.inf
                self.assertTrue(numpy.isnan(jitreduce.zscore(x)[2]).all())

    def test_long_rows_are_numpys(self):
        for turn, (dtype, length) in enumerate((("f4", 32769), ("f4", 65536), ("f4", 100001), ("f2", 70003), ("f8", 20000), ("f4", 300000))):
            x = self.random.standard_normal((3, length)).astype(dtype)
            X = x.astype("f8")
            with self.subTest(dtype=dtype, length=length):
                for function, wanted in sample(((jitreduce.log_softmax, numpy.log(softmax(X))), (jitreduce.layer_norm, layer_norm(X, 1, 0)),
                                                (jitreduce.rms_norm, X / numpy.sqrt((X * X).mean(-1, keepdims=True) + 1e-6))), turn, 2):
                    self.close(function(x), wanted, dtype)

    def test_axes_and_eps_that_are_none_are_named(self):
        x = numpy.ones((2, 3))
        for axis in ((), [], 0, (0, 1)):
            with self.assertRaisesRegex(ValueError, "axis=.*: rows lie along the last axis, 1"):
                jitreduce.softmax(x, axis=axis)
        for eps in (float("nan"), float("inf"), 10**400):
            with self.assertRaisesRegex(ValueError, "eps=.*: a finite number is added"):
                jitreduce.layer_norm(x, eps=eps)

    def test_a_correction_is_of_var_and_std(self):
        with self.assertRaisesRegex(ValueError, "correction: only var and std have one"):
            jitreduce.apply(numpy.ones((2, 3)), "x - r", correction=1)

    def test_arrays_lie_in_any_order_and_out_is_used(self):
        x = numpy.asfortranarray(self.random.standard_normal((7, 9)).astype("f4"))
        self.close(jitreduce.softmax(x), softmax(x.astype("f8")), "f4")
        self.close(jitreduce.softmax(x[::-1, ::2]), softmax(x[::-1, ::2].astype("f8")), "f4")
        out = numpy.empty((7, 9), "f4")
        self.assertIs(jitreduce.softmax(x, out=out), out)
        self.close(out, softmax(x.astype("f8")), "f4")

    def test_an_expression_has_arrays_weights_parameters_and_a_type(self):
        x, y = (self.random.standard_normal((4, 5)).astype("f4") for _ in range(2))
        w = numpy.arange(5, dtype="f8")
        numpy.testing.assert_array_equal(jitreduce.apply(x, "x * y", weights=w), jitreduce.apply(x, "x * y", weights=(w,)))
        found = jitreduce.apply(x, "(x + y) / r * z + least + i", y, op=jitreduce.Reduction("norm1", map="x + y"), weights=(w,),
                                dtype="float64", parameters={"least": 2.0})
        s = (x + y).astype("f8")
        self.assertEqual(found.dtype, "f8")
        numpy.testing.assert_allclose(found, s / abs(s).sum(-1, keepdims=True) * w + 2 + numpy.arange(5), rtol=1e-5)
        found = jitreduce.apply(x, "x - r0 + r1", op=("max", "min"), where="x > 0")
        self.assertEqual(found.shape, x.shape)

    def test_device_memory_gives_device_memory(self):
        x = self.random.standard_normal((6, 33)).astype("f4")
        w = numpy.arange(33, dtype="f4")
        d_x, d_w = made(OwnArray, x), made(OwnArray, w)
        X = x.astype("f8")
        for k in range(5):  # the same call again is replayed, of other arrays, too
            self.close(jitreduce.softmax(d_x).numpy(), softmax(X), "f4")
            other = self.random.standard_normal((6, 33)).astype("f4")
            self.close(jitreduce.softmax(made(OwnArray, other)).numpy(), softmax(other.astype("f8")), "f4")
            self.close(jitreduce.softmax(made(OwnArray, other[: k + 1])).numpy(), softmax(other[: k + 1].astype("f8")), "f4")
            found = jitreduce.zscore(d_x, correction=k).numpy()
            self.close(found, (X - X.mean(-1, keepdims=True)) / X.std(-1, ddof=k, keepdims=True), "f4")
        for _ in range(3):  # rows that are columns in memory are copied
            self.close(jitreduce.softmax(made(OwnArray, numpy.asfortranarray(x))).numpy(), softmax(X), "f4")
        into = made(OwnArray, numpy.zeros_like(x))
        for _ in range(3):
            self.assertIs(jitreduce.softmax(d_x, out=into), into)
            self.close(jitreduce.softmax(into).numpy(), softmax(softmax(X)), "f4")
        found = jitreduce.rms_norm(d_x, d_w, eps=0)
        self.close(found.numpy(), X / numpy.sqrt((X * X).mean(-1, keepdims=True)) * w, "f4")
        self.close(jitreduce.softmax(made(OwnArray, x[:1])).numpy(), softmax(X[:1]), "f4")

    def test_what_is_wrong_is_refused_with_the_reason(self):
        x = numpy.zeros((3, 4), "f4")
        for call, error, reason in (
                (lambda: jitreduce.softmax(x, axis=0), ValueError, "rows lie along the last axis"),
                (lambda: jitreduce.softmax(numpy.float32(1)), ValueError, "without dimensions"),
                (lambda: jitreduce.apply(x, 3), TypeError, "takes a text"),
                (lambda: jitreduce.apply(x, "x - r0"), jitreduce.InvalidExpressionError, "r0"),
                (lambda: jitreduce.apply(x, "x * y", weights=(x[0, :3],)), ValueError, "weights have the shape"),
                (lambda: jitreduce.apply(x, "x * y", x[0]), ValueError, "weights="),
                (lambda: jitreduce.apply(x, "x", where=x > 0), TypeError, "takes an expression"),
                (lambda: jitreduce.softmax(x, accuracy="reproducible"), jitreduce.Error, "no exact or reproducible")):
            self.assertRaisesRegex(error, reason, call)

    def test_no_rows_and_rows_without_elements_are_empty(self):
        for shape in ((0, 4), (3, 0)):
            self.assertEqual(jitreduce.softmax(numpy.zeros(shape, "f4")).shape, shape)
