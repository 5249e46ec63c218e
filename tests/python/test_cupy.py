"""CuPy's arrays, of which the simulator has none: a class that tells of memory as theirs does."""

import ctypes
import sys
import types
import unittest.mock

import numpy as np

import jitreduce as jr
from jitreduce import _jitreduce
from producers import Array
from test_reductions import Judged, numbers, sample


class Memory:
    """CuPy's, of a device."""

    def __init__(self, array, device_id):
        self.array, self.ptr, self.device_id = array, array.address, device_id


class Pointer:
    """CuPy's MemoryPointer."""

    def __init__(self, mem, offset):
        self.mem, self.ptr, self.device_id = mem, mem.ptr + offset, mem.device_id


class ndarray(Array):  # pylint: disable=invalid-name
    """CuPy's, of this module's stand-in: device -1 is the simulator's, whose number __cuda_array_interface__ cannot tell.
    Made of elements, or as CuPy's are: of a shape, a dtype, memory and strides; without strides in C order."""

    capsules = 0
    asked = []  # which members were
    told = {}
    device_id = -1

    def __init__(self, x, dtype=None, memptr=None, strides=None):
        if dtype is not None and memptr is None:
            x = jr.DeviceArray(x, np.dtype(dtype).name)
        elif dtype is not None:
            strides = jr._layout.strides_in(range(len(x)), x, np.dtype(dtype).itemsize) if strides is None else strides
            array = _jitreduce.Array.at(memptr, jr._types.of_dtype(dtype), x, strides, memptr.ptr, False, *jr.default_context().dlpack_device, 1)
            x = jr._device.of_memory(jr.default_context(), memptr, array)
        super().__init__(x)

    @property
    def __cuda_array_interface__(self):
        told = self.ours.__cuda_array_interface__
        lies = self.ours._array.strides != jr._layout.strides_in(range(len(self.shape)), self.shape, self.dtype.itemsize)
        return {**told, "strides": told["strides"] if lies else None, **self.told}

    @property
    def strides(self):
        """In bytes."""
        ndarray.asked.append("strides")
        return self._strides

    @strides.setter
    def strides(self, strides):
        self._strides = strides

    @property
    def _c_contiguous(self):
        ndarray.asked.append("_c_contiguous")
        return self._strides == jr._layout.strides_in(range(len(self.shape)), self.shape, self.dtype.itemsize)

    @property
    def data(self):
        """Where the elements are."""
        return Pointer(Memory(self.ours, self.device_id), 0)

    @property
    def size(self):
        """How many elements."""
        ndarray.asked.append("size")
        return int(np.prod(self.shape))

    @property
    def dtype(self):
        """NumPy's."""
        return np.dtype(self.ours.dtype)

    def __dlpack_device__(self):
        return self.ours.__dlpack_device__()

    def __dlpack__(self, *, stream=None, max_version=None):
        ndarray.capsules += 1
        return self.ours.__dlpack__(stream=stream, max_version=max_version)


ndarray.__module__ = "cupy"


def with_base(finish=lambda made: None):
    """A class as CuPy's has been since its version 12: its base, which is C's there, has _init; made: calls of its own __new__."""

    class Base(ndarray):
        """What C does in CuPy."""

        base, _f_contiguous = None, False

        def __init__(self):  # pylint: disable=super-init-not-called
            pass

        def _init(self, *given):
            ndarray.__init__(self, *given)

    class Class(Base):
        """The two functions of Python."""

        made = []

        def __new__(cls, *given):
            made = super().__new__(cls)
            made._init(*given)
            cls.made.append(made)
            finish(made)
            return made

        def __init__(self, *given):
            pass

    Class.__module__ = "cupy"
    return Class


def alloc(count, device_id=-1):
    """Memory of CuPy's, which begins behind what others have."""
    return Pointer(Memory(jr.DeviceArray(count + 256, "uint8"), device_id), 256)


def stand_in():
    """The module: what the package uses of CuPy's."""
    made = types.ModuleType("cupy")
    made.ndarray, made.dtype = ndarray, np.dtype
    made.cuda = types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=ndarray.told.get("stream") or 0), alloc=alloc)
    made.from_dlpack = lambda x: ndarray(x)  # pylint: disable=unnecessary-lambda
    return made


class Cupy(Judged):
    """Their short way, and all others."""

    def setUp(self):
        ndarray.capsules = 0
        modules = unittest.mock.patch.dict(sys.modules, cupy=stand_in())
        modules.start()
        self.addCleanup(modules.stop)

    def test_reductions_alone_are_right_and_take_no_capsule(self):
        for turn, dtype in enumerate("?bhilBHILefd"):
            x = numbers(dtype, 300 if dtype != "e" else 30)
            a = ndarray(x)
            with self.subTest(dtype=dtype):
                for name in sample(("max", "argmin", "count_nonzero", "sum"), turn, 4):
                    for _ in range(2):
                        found = getattr(jr, name)(a)
                        self.assertIs(type(found), ndarray)
                        expected = np.asarray(getattr(np, name)(x))
                        self.assertEqual(found.numpy(), expected)
                        self.assertEqual(found.shape, ())
                        self.assertEqual(getattr(jr, name)(a, value=True), expected.item())
        self.assertEqual(ndarray.capsules, 0)

    def test_other_calls_are_the_functions(self):
        x = numbers("i", (3, 4))
        for order in "CF":
            a = ndarray(np.asarray(x, order=order))
            self.same(jr.sum(a).numpy()[()], np.sum(x))
            self.same(jr.sum(a, axis=0).numpy(), np.sum(x, axis=0))
            self.same(jr.cumulative_sum(a, axis=1).numpy(), np.cumsum(x, axis=1))
        self.assertEqual(jr.sum(ndarray(np.zeros(0))).numpy(), 0)
        self.assertRaisesRegex(jr.EmptyInputError, "^zero-size array to reduction operation min", lambda: jr.min(ndarray(np.zeros(0))))
        self.assertRaisesRegex(TypeError, "unknown argument", jr.sum, a, axes=1)

    def test_strides_are_asked_for_where_the_order_is_not_cs(self):
        x = numbers("i", (3, 1, 4))
        for order, members in (("C", ["_c_contiguous"]), ("F", ["_c_contiguous", "strides"])):
            a = ndarray(np.asarray(x, order=order))
            for _ in range(2):
                ndarray.asked.clear()
                self.same(jr.sum(a, axis=0).numpy(), np.sum(x, axis=0))
            self.assertEqual(ndarray.asked, members)
            for _ in range(2):
                ndarray.asked.clear()
                self.same(jr.min(a).numpy()[()], np.min(x))
            self.assertEqual(ndarray.asked[:2], ["_c_contiguous", "size" if order == "C" else "strides"])
        with unittest.mock.patch.object(ndarray, "_c_contiguous", None):  # of a version that does not say so
            self.same(jr.max(ndarray(x), axis=0).numpy(), np.max(x, axis=0))

    def test_results_are_on_the_arrays_device_or_the_functions(self):
        a = ndarray(numbers("f", 10))
        expected = np.sum(a.numpy())
        for device_id in (7, -1, 7):
            jr.sum._forget()
            with unittest.mock.patch.object(sys.modules["cupy"].cuda, "alloc", lambda count, at=device_id: alloc(count, at)):
                found = jr.sum(a)
            self.assertIs(type(found), ndarray)
            self.assertEqual(found.numpy(), expected)

    def test_many_results_share_one_piece_of_cupys_memory(self):
        x = np.arange(24.0).reshape(4, 6)
        calls = (lambda a: (jr.sum(a),), lambda a: (jr.sum(a, axis=0),), lambda a: jr.reduce(a, ("min", "sum"), axis=1))
        for turn, call in enumerate(calls):
            call(ndarray(x))
            with unittest.mock.patch.object(sys.modules["cupy"].cuda, "alloc", unittest.mock.Mock(wraps=alloc)) as counted:
                kept = [call(ndarray(x + i)) for i in range(200)]
            self.assertLess(counted.call_count, 10)
            for i, found in enumerate(kept):
                expected = ((np.sum(x + i),), (np.sum(x + i, axis=0),), (np.min(x + i, axis=1), np.sum(x + i, axis=1)))[turn]
                for one, value in zip(found, expected, strict=True):
                    self.assertIs(type(one), ndarray)
                    self.same(one.numpy(), np.asarray(value))

    def test_four_results_of_some_kilobytes_share_memory(self):
        a = ndarray(np.arange(3000.0).reshape(2, 1500))
        jr.reduce(a, ("min", "max"), axis=0)
        with unittest.mock.patch.object(sys.modules["cupy"].cuda, "alloc", unittest.mock.Mock(wraps=alloc)) as counted:
            kept = [jr.reduce(a, ("min", "max"), axis=0) for _ in range(40)]
        self.assertEqual(counted.call_count, 10)
        for least, most in kept:
            self.same(least.numpy(), a.numpy()[0])
            self.same(most.numpy(), a.numpy()[1])

    def test_large_results_and_those_of_per_thread_streams_have_memory_of_their_own(self):
        small, middle, large = ndarray(np.zeros((2, 5))), ndarray(np.zeros((2, 9000))), ndarray(np.zeros((2, 36000)))
        both = ("min", "max")
        for call, stream, allocated in ((lambda: jr.sum(large, axis=0), None, 0), (lambda: jr.reduce(large, both, axis=0), None, 5),
                                        (lambda: jr.sum(middle, axis=0), None, 2), (lambda: jr.sum(small, axis=0), 2, 0),
                                        (lambda: jr.reduce(small, both, axis=0), 2, 5)):
            with unittest.mock.patch.object(sys.modules["cupy"].cuda, "alloc", unittest.mock.Mock(wraps=alloc)) as counted, \
                    unittest.mock.patch.object(ndarray, "told", {"stream": stream}):
                call()
                before = counted.call_count
                kept = [call() for _ in range(5)]
            self.assertEqual((len(kept), counted.call_count - before), (5, allocated))

    def test_arrays_are_made_by_the_classes_base_where_that_makes_the_same(self):
        x = np.arange(24.0).reshape(4, 6)
        for finish, others in ((lambda made: None, 0), (lambda made: setattr(made, "base", 1), 12)):
            kind = with_base(finish)
            a = kind(x)
            jr.sum(a, axis=0), jr.sum(a, axis=0), jr.reduce(a, ("min", "sum"), axis=1), jr.reduce(a, ("min", "sum"), axis=1)
            kind.made.clear()
            for _ in range(4):
                found, (least, sums) = jr.sum(a, axis=0), jr.reduce(a, ("min", "sum"), axis=1)
                self.assertEqual({type(one) for one in (found, least, sums)}, {kind})
                self.same(found.numpy(), x.sum(axis=0))
                self.same(least.numpy(), x.min(axis=1))
                self.same(sums.numpy(), x.sum(axis=1))
            self.assertEqual(len(kind.made), others)

    def test_the_stream_is_asked_for_in_c_where_cupy_shares_that_function(self):
        stream, asked = jr.Stream(), []
        current = ctypes.CFUNCTYPE(ctypes.c_ssize_t)(lambda: asked.append(1) or stream.number)
        capsule = ctypes.pythonapi.PyCapsule_New
        capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        for kind, taken in ((b"intptr_t (void)", True), (b"intptr_t (int)", False)):
            shared = types.ModuleType("cupy_backends.cuda.stream")
            shared.__pyx_capi__ = {"get_current_stream_ptr": capsule(ctypes.cast(current, ctypes.c_void_p), kind, None)}
            again = type("ndarray", (ndarray,), {"__module__": "cupy"})
            asked.clear()
            with unittest.mock.patch.dict(sys.modules, {shared.__name__: shared}):
                a = again(np.arange(4.0))
                found = [jr.max(a, axis=0) for _ in range(3)]
            stream.wait()
            self.assertEqual([one.numpy() for one in found], [3.0] * 3)
            self.assertEqual(bool(asked), taken)

    def test_the_stream_is_the_one_that_the_array_tells(self):
        a, stream = ndarray(np.arange(4.0)), jr.Stream()
        with unittest.mock.patch.object(ndarray, "told", {"stream": stream.number}):
            found = jr.sum(a)
            self.assertEqual(jr.sum(a, value=True), 6.0)
        stream.wait()
        self.assertEqual(found.numpy(), 6.0)
        with unittest.mock.patch.object(ndarray, "told", {"stream": None}):  # an older interface: by capsules
            self.assertEqual(jr.sum(a).numpy(), 6.0)
            self.assertEqual(jr.sum.__wrapped__(a).numpy(), 6.0)
        self.assertGreater(ndarray.capsules, 0)

    def test_in_a_capture_the_run_goes_into_the_graph(self):
        a, stream = ndarray(np.arange(5000.0)), jr.Stream()
        jr.sum(a)
        with unittest.mock.patch.object(ndarray, "told", {"stream": stream.number}), stream.capture() as graph:
            found = jr.sum(a)
        graph.launch(stream)
        stream.wait()
        self.assertEqual(found.numpy(), 4999 * 2500)

    def test_another_default_context_has_plans_of_its_own(self):
        a = ndarray(np.arange(4.0))
        jr.sum(a)
        before = jr.default_context()
        self.addCleanup(jr.set_default_context, before)
        jr.set_default_context(jr.Context("sim", cache_dir=""))
        other = jr.default_context()
        count = other.counters()
        self.assertEqual(jr.sum(ndarray(np.arange(4.0))).numpy(), 6.0)
        self.assertNotEqual(other.counters(), count)
