"""DeviceArray as an array: indices, views, other shapes, what NumPy sees of it; variables of kernels."""

import itertools

import numpy as np

import jitreduce as jr
from test_reductions import Judged, numbers

X = numbers("d", (4, 6, 3))
INDICES = (0, -1, (1, 2), (1, 2, 0), slice(1, 3), slice(None, None, 2), slice(None, None, -1), slice(5, 1, -2), (slice(None), 3), (Ellipsis, 1), (..., slice(None, None, -1)),
           (None, 0), (0, None), (slice(3, 1), 0), (slice(None), slice(1, None, 2), slice(None, None, -2)), Ellipsis, (), np.int64(2))


class Views(Judged):
    """Indices, T, reshape."""

    def test_indices_select_views(self):
        d = jr.DeviceArray.of(X)
        for key in INDICES:
            with self.subTest(key=key):
                seen = d[key]
                self.assertIs(type(seen), jr.DeviceArray)
                self.same(seen.numpy(), np.asarray(X[key]))
                self.assertEqual((seen.ndim, seen.size, seen.shape), (X[key].ndim, X[key].size, X[key].shape))
                if X[key].size:
                    self.assertEqual(jr.sum(seen, value=True), X[key].sum())
        self.same(d.T.numpy(), X.T)
        self.same(d[1:, ::2].T.numpy(), X[1:, ::2].T)
        self.same(jr.sum(d[:, ::-1], axis=1).numpy(), X.sum(axis=1))

    def test_a_view_lives_on_when_its_array_is_gone(self):
        part = jr.DeviceArray.of(X)[1]
        others = [jr.DeviceArray.of(np.zeros_like(X)) for _ in range(4)]
        self.same(part.numpy(), X[1])
        del others

    def test_other_shapes(self):
        d = jr.DeviceArray.of(X)
        for shape in ((72,), (6, 12), (2, -1, 3), (-1,)):
            self.same(d.reshape(shape).numpy(), X.reshape(shape))
            self.same(d.reshape(*shape).numpy(), X.reshape(shape))
        self.assertEqual(d[0, 0, 0].reshape(()).shape, ())
        for shape, words in (((5, 5), "72 elements do not have the shape"), ((-1, -1), "do not have"), ((7, -1), "do not have")):
            self.assertRaisesRegex(ValueError, words, d.reshape, shape)
        self.assertRaisesRegex(ValueError, "do not lie in C order", d.T.reshape, 72)

    def test_wrong_indices_are_named(self):
        d = jr.DeviceArray.of(X)
        for key, error, words in ((4, IndexError, "index 4 is out of range for an axis of length 4"), ((0, 0, 0, 0), IndexError, "too many parts"), ([0, 1], TypeError, r"slices.*\.numpy\(\)"),
                                  (np.array([True]), TypeError, "slices"), (True, TypeError, "index True"), ("a", TypeError, "index 'a'"), ((..., ...), IndexError, "too many parts")):
            with self.assertRaisesRegex(error, words):
                d[key]  # pylint: disable=pointless-statement

    def test_what_is_written_is_there(self):
        d = jr.DeviceArray.of(X)
        d[1].write(-X[1])
        wanted = X.copy()
        wanted[1] *= -1
        self.same(d.numpy(), wanted)
        d.write(np.asfortranarray(X))
        self.same(d.numpy(), X)
        for call, words in ((lambda: d.write(X[0]), "write takes an array of float64 and shape"), (lambda: d.write(X.astype("f4")), "not of float32"), (lambda: d.T.write(X.T), "C order")):
            self.assertRaisesRegex(ValueError, words, call)


class Shown(Judged):
    """What Python and NumPy see."""

    def test_a_number_shows_its_value(self):
        self.assertEqual(repr(jr.sum(jr.DeviceArray.of(X))), f"<jitreduce.DeviceArray of float64, shape (): {float(X.sum())!r}>")
        self.assertEqual(repr(jr.any(jr.DeviceArray.of(X))), "<jitreduce.DeviceArray of bool, shape (): True>")
        self.assertEqual(repr(jr.DeviceArray.of(X)), "<jitreduce.DeviceArray of float64, shape (4, 6, 3)>")
        stream = jr.Stream()
        with stream.capture():
            captured = jr.sum(jr.DeviceArray.of(X), stream=stream)
            self.assertEqual(repr(captured), "<jitreduce.DeviceArray of float64, shape (), captured>")

    def test_numpy_is_told_what_to_call(self):
        d = jr.DeviceArray.of(X)
        for call in (lambda: np.asarray(d), lambda: np.array(d, "f4"), lambda: np.sum(d), lambda: np.asarray(d[0])):
            self.assertRaisesRegex(TypeError, r"x.numpy\(\) copies it there, jitreduce.sum\(x\) reduces it where it is", call)

    def test_the_namespace_is_the_package(self):
        x = jr.DeviceArray.of(X)
        self.assertIs(x.__array_namespace__(), jr)
        self.assertIs(x.__array_namespace__(api_version="2023.12"), jr)
        for name in ("sum", "max", "mean", "std", "argmax", "any", "cumulative_sum"):
            self.assertTrue(callable(getattr(x.__array_namespace__(), name)))


class Variables(Judged):
    """Kernel.global_."""

    def test_variables_are_read_and_written(self):
        kernel = jr.Kernel('''__device__ unsigned long long hits; __constant__ float table[2][3]; __device__ short one = 7;
            extern "C" __global__ void add(float *y) { y[threadIdx.x] = table[1][threadIdx.x] + one; atomicAdd(&hits, 1ull); }''')
        table = kernel.global_("table", "float32", (2, 3))
        table.write(np.arange(6, dtype="f4").reshape(2, 3))
        y = jr.DeviceArray(3, "float32")
        for _, call in itertools.product(range(2), (lambda: kernel(1, 3, (y,)),)):
            call()
        self.same(y.numpy(), np.array([10, 11, 12], "f4"))
        self.assertEqual((kernel.global_("hits", "uint64").item(), kernel.global_("one", "int16").item(), kernel.global_("table").shape), (6, 7, (24,)))
        self.same(jr.max(table, axis=0).numpy(), np.array([3, 4, 5], "f4"))
        for call, error, words in ((lambda: kernel.global_("nope"), jr.Error, "nope"), (lambda: kernel.global_("one", "float32"), ValueError, "one has 2 bytes, which are not whole elements"),
                                   (lambda: kernel.global_("table", "float32", (4,)), ValueError, "6 elements do not have"), (lambda: kernel.global_(3), TypeError, "name=3 is not a text")):
            self.assertRaisesRegex(error, words, call)
