"""CuPy's arrays, of which the simulator has none: a class that tells of memory as theirs does."""

import sys
import types
import unittest.mock

import numpy as np

import jitreduce as jr
from jitreduce import _jitreduce
from producers import Array
from test_reductions import Judged, numbers, sample


class Pointer:
    """CuPy's MemoryPointer."""

    def __init__(self, memory, ptr, device_id):
        self.memory, self.ptr, self.device_id = memory, ptr, device_id

    def __add__(self, offset):
        return Pointer(self.memory, self.ptr + offset, self.device_id)


class ndarray(Array):  # pylint: disable=invalid-name
    """CuPy's, of this module's stand-in: device -1 is the simulator's, whose number __cuda_array_interface__ cannot tell.
    Made of elements, or as CuPy's are: of a shape, a dtype, memory and strides."""

    capsules = 0
    asked = []  # which members were
    told = {}
    device_id = -1

    def __init__(self, x, dtype=None, memptr=None, strides=None):
        if dtype is not None and memptr is None:
            x = jr.DeviceArray(x, np.dtype(dtype).name)
        elif dtype is not None:
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
        return Pointer(self.ours, self.ours.address, self.device_id)

    @property
    def size(self):
        """How many elements."""
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


def alloc(count):
    """Memory of CuPy's."""
    memory = jr.DeviceArray(count, "uint8")
    return Pointer(memory, memory.address, ndarray.device_id)


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
        with self.assertRaisesRegex(jr.EmptyInputError, "^zero-size array to reduction operation min"):
            jr.min(ndarray(np.zeros(0)))
        with self.assertRaisesRegex(TypeError, "unknown argument"):
            jr.sum(a, axes=1)

    def test_strides_are_asked_for_where_the_order_is_not_cs(self):
        x = numbers("i", (3, 1, 4))
        for order, members in (("C", ["_c_contiguous"]), ("F", ["_c_contiguous", "strides"])):
            a = ndarray(np.asarray(x, order=order))
            for _ in range(2):
                ndarray.asked.clear()
                self.same(jr.sum(a, axis=0).numpy(), np.sum(x, axis=0))
            self.assertEqual(ndarray.asked, members)
        with unittest.mock.patch.object(ndarray, "_c_contiguous", None):  # of a version that does not say so
            self.same(jr.max(ndarray(x), axis=0).numpy(), np.max(x, axis=0))

    def test_results_are_on_the_arrays_device_or_the_functions(self):
        a = ndarray(numbers("f", 10))
        expected = np.sum(a.numpy())
        jr.sum(a)
        with unittest.mock.patch.object(Pointer, "__init__", lambda self, memory, ptr, device_id: self.__dict__.update(
                memory=memory, ptr=ptr, device_id=-1 if memory is a.ours else 7)):
            found = jr.sum(a)
        self.assertIs(type(found), ndarray)
        self.assertEqual(found.numpy(), expected)

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
