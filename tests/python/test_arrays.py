"""Whose arrays are taken, and what results are of: buffers of any kind, in and out."""

import array
import binascii
import ctypes
import os
import subprocess
import sys
import threading
import unittest
import unittest.mock
import warnings

import numpy as np

import jitreduce as jr
from jitreduce import _jitreduce


class Buffers(unittest.TestCase):
    """What exports its memory."""

    def test_results_of_pythons_arrays_are_pythons_numbers(self):
        cases = ((array.array("i", [3, 1, 4]), 8, int), (array.array("d", [3, 1.5]), 4.5, float),
                 (b"\x03\x01", 4, int), (bytearray(b"\x03\x01"), 4, int))
        for x, total, kind in cases:
            self.assertEqual((jr.sum(x), type(jr.sum(x))), (total, kind))
        self.assertIs(jr.any(b"\0\1"), True)

    def test_results_of_subclasses_are_numpys(self):
        class Ours(np.ndarray):
            """As units have them."""

        x = np.arange(6.0).reshape(2, 3).view(Ours)
        for found in (jr.sum(x, axis=0), jr.cumulative_sum(x, axis=0), jr.reduce_by_key(x[0], x[1])[0]):
            self.assertIs(type(found), np.ndarray)
        self.assertIs(type(jr.sum(x)), np.float64)

    def test_results_along_axes_are_memoryviews(self):
        x = memoryview(array.array("i", [3, 1, 4, 1, 5, 9])).cast("B").cast("i", (2, 3))
        found = jr.sum(x, axis=0)
        self.assertEqual((type(found), found.format, found.tolist()), (memoryview, "l", [4, 6, 13]))

    def test_results_of_others_arrays_in_host_memory_are_of_their_library(self):
        class Theirs:
            """An array of a library that has DLPack and no exchange table."""

            def __init__(self, x):
                self.x = x

            def __dlpack_device__(self):
                return self.x.__dlpack_device__()

            def __dlpack__(self, *, stream=None, max_version=None, **_):
                return self.x.__dlpack__(stream=stream)

            def __array_namespace__(self):
                return Theirs

            @classmethod
            def from_dlpack(cls, x):
                """As its library makes an array of another's."""
                return cls(np.from_dlpack(x))

        x = np.arange(6, dtype="f").reshape(2, 3)
        for found, wanted in ((jr.sum(Theirs(x), axis=0), x.sum(0)), (jr.argmax(Theirs(x), axis=1), x.argmax(1)),
                              (jr.mean(Theirs(x), keepdims=True), x.mean(keepdims=True)),
                              (jr.cumulative_sum(Theirs(x), axis=1), x.cumsum(1)),
                              (jr.minmax(Theirs(x), axis=0)[1], x.max(0)),
                              (jr.reduce_by_key(Theirs(x[0] // 2), Theirs(x[1]))[1], [7, 5])):
            self.assertIs(type(found), Theirs)
            np.testing.assert_array_equal(found.x, wanted)
        self.assertEqual(jr.sum(Theirs(x)), 15)

    def test_arrays_of_ctypes_tell_no_strides_and_are_taken(self):
        self.assertEqual(jr.sum((ctypes.c_float * 3)(1, 2, 4)), 7.0)
        rows = (ctypes.c_int * 3 * 2)((1, 2, 3), (4, 5, 6))
        self.assertEqual(jr.sum(rows, axis=0).tolist(), [5, 7, 9])
        self.assertEqual(jr.sum(rows, axis=1).tolist(), [6, 15])
        self.assertEqual(jr.sum((ctypes.c_int * 0)()), 0)
        out = (ctypes.c_long * 2)()
        self.assertIs(jr.sum(rows, axis=1, out=out), out)
        self.assertEqual(list(out), [6, 15])
        self.assertRaisesRegex(TypeError, "x: elements", lambda: jr.sum((ctypes.c_float.__ctype_be__ * 2)(1, 2)))

    def test_what_is_no_array_is_told(self):
        for x, words in ((object(), "numpy.asarray"), (None, "pass an array"), ({}, "pass an array"),
                         ("text", "pass an array"), (iter([1]), "numpy.fromiter"), ((i for i in (1, 2)), "numpy.fromiter"), ({1, 2}, "numpy.fromiter")):
            self.assertRaisesRegex(TypeError, words, jr.sum, x)

    def test_elements_that_cannot_be_reduced_are_told(self):
        for x, words in ((np.zeros(2, ">f4"), "big-endian"), (np.zeros(2, "c8"), "elements of complex64 .*x.real"),
                         (np.zeros(2, "i,f"), r"x\['f0'\]"), (np.array(["a"]), "elements of <U1 .*group_by"), (np.array([None]), "elements of object .*astype"),
                         (np.zeros(2, np.longdouble), "elements of float128 .*astype"), (array.array("u", "ab"), "elements of format '(u|w)'")):
            self.assertRaisesRegex(TypeError, words, jr.sum, x)

    def test_memory_that_may_only_be_read_is_read(self):
        x = np.arange(5)
        x.flags.writeable = False
        self.assertEqual(jr.sum(x), 10)

    def test_a_views_memory_is_let_go_of(self):
        x = bytearray(8)
        jr.sum(x)
        x.extend(b"more")  # refused while somebody has a view
        found = jr.cumulative_sum(np.ones(4))
        self.assertEqual(found.base is not None, True)
        before = sys.getrefcount(x)
        for _ in range(20):
            jr.sum(x)
        self.assertEqual(sys.getrefcount(x), before)

    def test_an_array_exports_what_is_asked_for_and_no_more(self):
        made = _jitreduce.Array("f32", (2, 3), (4, 8))
        self.assertEqual((made.shape, made.strides, made.type, made.readonly), ((2, 3), (4, 8), "f32", False))
        self.assertEqual(memoryview(made).strides, (4, 8))
        with self.assertRaises((BufferError, TypeError)):  # what asks for no strides cannot see these
            binascii.crc32(made)
        self.assertRaises(BufferError, lambda: memoryview(_jitreduce.Array("bf16", (2,), (2,))))


class Errors(unittest.TestCase):
    """Exceptions say what the library says."""

    def test_each_status_has_a_class(self):
        self.assertTrue(all(issubclass(error, jr.Error) for error in jr.ERRORS))
        self.assertLessEqual({"CompileError", "EmptyInputError", "InvalidArgumentError", "NvrtcNotFoundError"},
                             {error.__name__ for error in jr.ERRORS})

    def test_an_expression_is_shown_with_a_caret(self):
        with self.assertRaises(jr.InvalidExpressionError) as caught:
            jr.sum(np.ones(3), where="x > q")
        self.assertEqual(caught.exception.status, "JR_ERROR_INVALID_EXPRESSION")
        self.assertRegex(str(caught.exception), r"(?s)'q'.*\n  x > q\n      \^")
        self.assertIsInstance(caught.exception, ValueError)

    def test_a_wrong_device_is_named(self):
        self.assertRaisesRegex(jr.Error, "tpu", jr.Context, "tpu")
        with self.assertRaises(jr.NoDeviceError):
            jr.Context("sim#99")


class Contexts(unittest.TestCase):
    """Whose device it is."""

    def test_a_context_can_be_given_or_be_everybodys(self):
        mine = jr.Context("sim")
        before = jr.default_context()
        self.assertEqual(jr.sum(np.ones(5), context=mine), 5)
        self.assertEqual(mine.counters()["memory_hits"] + mine.counters()["disk_hits"] + mine.counters()["compiles"], 1)
        jr.set_default_context(mine)
        try:
            self.assertIs(jr.default_context(), mine)
        finally:
            jr.set_default_context(before)
        self.assertRaises(TypeError, jr.set_default_context, "sim")

    def test_what_the_device_is(self):
        info = jr.Context("sim").device_info()
        self.assertTrue(info["simulated"])
        self.assertEqual(info["compute_capability"], (9, 0))

    def test_no_warning_where_the_simulator_was_asked_for(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            jr.Context("sim")

    def test_a_warning_where_nobody_asked_for_the_simulator(self):
        with unittest.mock.patch.dict(os.environ, JITREDUCE_DEVICE="", JITREDUCE_DRIVER="/nowhere/libcuda.so.1"):
            with self.assertWarnsRegex(RuntimeWarning, "PTX simulator.* 10 times as long as NumPy's") as caught:
                self.assertTrue(jr.Context().device_info()["simulated"])
            self.assertEqual(caught.filename, __file__)

    def test_the_warning_points_at_the_line_of_the_caller(self):
        program = "import array, jitreduce\n\ndef total(x):\n    return jitreduce.{}\n\ntotal(array.array('d', [1, 2]))\n"
        environment = {**os.environ, "JITREDUCE_DEVICE": "", "JITREDUCE_DRIVER": "/nowhere/libcuda.so.1"}
        for call in ("sum(x)", "sum(x, axis=0)", "Reduction('sum', map='x')(x)", "cumulative_sum(x)", "nansum(x)", "scan(x)", "DeviceArray.of(x)", "default_context()"):
            done = subprocess.run([sys.executable, "-c", program.format(call)], capture_output=True, text=True, check=True, env=environment)
            self.assertRegex(done.stderr, r"^<string>:4: RuntimeWarning", call)

    def test_python_runs_on_while_the_device_works(self):
        x, ticks, done = np.ones(3_000_000, "f"), [], threading.Event()
        jr.sum(x)

        def work():
            jr.sum(x)
            done.set()

        worker = threading.Thread(target=work)
        worker.start()
        while not done.wait(0.0005):
            ticks.append(1)
        worker.join()
        self.assertGreater(len(ticks), 0)

    def test_many_threads_share_a_context(self):
        found = []
        threads = [threading.Thread(target=lambda n=n: found.append(jr.sum(np.arange(n), context=None) == n * (n - 1) // 2))
                   for n in range(100, 108)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [True] * 8)
