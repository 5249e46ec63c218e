"""Arrays in device memory, told by DLPack's exchange table, by its capsules, or by __cuda_array_interface__."""

import functools
import gc
import os
import unittest.mock

import numpy as np

import jitreduce as jr
import producers
from jitreduce import _jitreduce
from producers import ALL, Exchanged, InterfaceArray, OldArray, OwnArray, made
from test_reductions import Judged, numbers, sample

RESULTS = {OwnArray: OwnArray, OldArray: OldArray, Exchanged: Exchanged}  # of others the package's own


class Kinds(Judged):
    """All ways to tell of memory."""

    def on_all(self, x):
        """(class, array) for each way."""
        for kind in ALL:
            with self.subTest(kind.__name__):
                yield kind, made(kind, x)

    def test_results_are_of_the_same_kind_and_right(self):
        x = numbers("i", (3, 4, 5))
        for order in "CF":
            for kind, a in self.on_all(np.asarray(x, order=order)):
                for axis in (None, 0, 2, (0, 1), (0, 2)):
                    found = jr.sum(a, axis=axis)
                    self.assertIs(type(found), RESULTS.get(kind, jr.DeviceArray))
                    self.same(found.numpy()[()], np.sum(x, axis=axis))
                self.same(jr.reduce(a, ("sum",), axis=1)[0].numpy(), np.sum(x, axis=1))
                self.same(jr.max(a, axis=1, keepdims=True).numpy(), np.max(x, axis=1, keepdims=True))

    def test_values_are_pythons_numbers(self):
        for _, a in self.on_all(numbers("f", 50)):
            self.assertIs(type(jr.sum(a, value=True)), float)
            self.assertEqual(jr.sum(a, value=True), float(jr.sum(a).numpy()))
            self.assertEqual(jr.reduce(a, ("min", "argmax"), value=True),
                             (float(np.min(a.numpy())), int(np.argmax(a.numpy()))))
        self.assertEqual(jr.sum(np.arange(4), value=True), 6)
        self.assertIs(type(jr.max(np.arange(4, dtype="f4"), value=True)), float)
        self.assertRaisesRegex(ValueError, "without axis", lambda: jr.sum(np.ones((2, 2)), axis=0, value=True))

    def test_all_functions(self):
        x = numbers("f", (6, 7))
        for _, a in self.on_all(x):
            self.assertEqual(jr.count_nonzero(a).numpy(), np.count_nonzero(x))
            for name in ("prod", "min", "max", "argmin", "argmax", "any", "all"):
                self.same(getattr(jr, name)(a).numpy()[()], getattr(np, name)(x), close=name == "prod")
            for name in ("mean", "var", "std"):
                self.same(getattr(jr, name)(a).numpy()[()], getattr(np, name)(x), close=True)
            self.same(jr.var(a, correction=1, axis=0).numpy(), np.var(x, ddof=1, axis=0), close=True)
            self.same(jr.norm(a).numpy()[()], np.linalg.norm(x), close=True)
            self.same(jr.dot(a, a).numpy()[()], np.vdot(x, x), close=True)

    def test_where_initial_dtype_and_out(self):
        x = numbers("i", (4, 5))
        mask = x > 2
        for kind, a in self.on_all(x):
            where = made(kind, mask)
            self.same(jr.sum(a, axis=0, where=where).numpy(), np.sum(x, axis=0, where=mask))
            self.same(jr.sum(a, where="x > 2").numpy()[()], np.sum(x, where=mask))
            self.same(jr.max(a, initial=100).numpy()[()], np.max(x, initial=100))
            self.same(jr.sum(a, dtype="float32").numpy()[()], np.sum(x, dtype="f"))
            out = made(kind, np.zeros(5, "l"))
            self.assertIs(jr.sum(a, axis=0, out=out), out)
            self.same(out.numpy(), np.sum(x, axis=0))
            self.assertRaisesRegex(ValueError, "has int64", lambda: jr.sum(a, axis=0, out=made(kind, np.zeros(5, "i"))))
            self.assertRaisesRegex(ValueError, "out in host memory", lambda: jr.sum(a, axis=0, out=np.zeros(5, "l")))

    def test_scans(self):
        x = numbers("i", (4, 5))
        for kind, a in self.on_all(x):
            for axis in (0, 1):
                self.same(jr.cumulative_sum(a, axis=axis).numpy(), np.cumsum(x, axis=axis))
            flat = made(kind, x[0])
            self.same(jr.cumulative_prod(flat, include_initial=True).numpy(), np.append(1, np.cumprod(x[0])))
            for axis in (0, 1):
                theirs = np.cumsum(x, axis=axis)
                first = np.zeros_like(theirs.take([0], axis=axis))
                self.same(jr.cumulative_sum(a, axis=axis, include_initial=True).numpy(),
                          np.concatenate([first, theirs], axis=axis))
                self.same(jr.cumulative_sum(a, axis=axis, exclusive=True).numpy(), theirs - x)
            self.same(jr.cumulative_sum(flat, exclusive=True).numpy(), np.cumsum(x[0]) - x[0])

    def test_scans_of_every_size_of_element_have_their_initial_number(self):
        for turn, dtype in enumerate("".join(sample(("bhid", "lf"), 0, 2))):
            x = numbers(dtype, (3, 4, 5))
            a = jr.DeviceArray.of(x)
            for axis in sample(range(3), turn):
                found = jr.cumulative_sum(a, axis=axis, dtype=np.dtype(dtype).name, include_initial=True)
                theirs = np.cumsum(x, axis=axis, dtype=dtype)
                self.same(found.numpy(), np.concatenate([np.zeros_like(theirs.take([0], axis=axis)), theirs], axis=axis))
        for shape in ((0, 4), (4, 0)):
            for axis in (0, 1):
                a = jr.DeviceArray.of(np.zeros(shape))
                found = jr.cumulative_prod(a, axis=axis, include_initial=True)
                self.same(found.numpy(), np.ones([n + (k == axis) for k, n in enumerate(shape)]))
        stream, a = jr.Stream(), jr.DeviceArray.of(np.ones((2, 2)))
        with self.assertRaisesRegex(ValueError, "concatenate"), stream.capture():
            jr.cumulative_sum(a, axis=0, include_initial=True, stream=stream)

    def test_nothing_and_one_number(self):
        for _, a in self.on_all(np.zeros(0, "f")):
            self.assertEqual(jr.sum(a).numpy(), 0)
            self.assertEqual(jr.sum(a, value=True), 0)
            for function in (jr.min, jr.argmax):
                self.assertRaises(jr.EmptyInputError, function, a)
            self.assertEqual(jr.min(a, initial=3).numpy(), 3)
        for _, a in self.on_all(np.zeros((3, 0), "f")):
            self.same(jr.sum(a, axis=1).numpy(), np.zeros(3, "f"))
            self.assertEqual(jr.sum(a, axis=0).shape, (0,))
            self.assertRaises(jr.EmptyInputError, jr.min, a, axis=1)
        for _, a in self.on_all(np.float32(7)):
            self.assertEqual(jr.sum(a).numpy(), 7)

    def test_views_whose_axes_cannot_be_merged_are_copied(self):
        x = numbers("f", (4, 6))
        a = made(jr.DeviceArray, x)
        seen = a._array
        part = jr._device.of_memory(jr.default_context(), a,
                                    _jitreduce.Array.at(a, "f32", (4, 3), (24, 8), seen.address, False, *seen.device, 1))
        self.assertEqual(jr.sum(part, value=True), x[:, ::2].sum())
        for kind in (OwnArray, InterfaceArray, Exchanged):
            for _ in range(2):
                self.assertEqual(jr.sum(kind(part), value=True), x[:, ::2].sum())

    def test_arrays_of_both_memories_are_told(self):
        a = made(Exchanged, numbers("f", 5))
        self.assertRaisesRegex(ValueError, "y in host memory", lambda: jr.dot(a, np.ones(5, "f")))
        self.assertRaisesRegex(ValueError, "where in device memory", lambda: jr.sum(np.ones(5, "f"), where=made(OwnArray, np.ones(5, "?"))))

    def test_nothing_is_leaked(self):
        x = numbers("f", (4, 5))
        for _, a in self.on_all(x):
            jr.sum(a)
            before = len(producers._alive)
            for _ in range(128):  # twice as many as one array has places for
                jr.sum(a), jr.sum(a, value=True)
            jr.sum(a, axis=0), jr.minmax(a)
            gc.collect()
            self.assertEqual(len(producers._alive), before)
        self.assertLess(len(producers._alive), 30)


class Exchange(Judged):
    """DLPack's exchange table."""

    def test_the_short_way_makes_no_capsule(self):
        a = made(Exchanged, numbers("f", 100))
        jr.sum(a)
        before = dict(Exchanged.counts)
        found = [jr.sum(a) for _ in range(64)]
        jr.sum(a, value=True)
        spent = {name: count - before[name] for name, count in Exchanged.counts.items()}
        self.assertEqual(spent, {"export": 0, "allocate": 1, "import": 64, "borrow": 65, "current": 65, "deleted": 0})
        self.assertEqual(len({total.ours.address for total in found}), 64)
        self.assertEqual({float(total.numpy()) for total in found}, {jr.sum(a, value=True)})

    def test_every_form_of_a_call_says_the_same(self):
        a = Exchanged(np.arange(5, dtype="f4"))
        keywords, one = {"".join(("val", "ue")): True}, (a,)
        forms = (lambda: jr.sum(a, value=True), lambda: jr.sum(*one, **keywords), lambda: jr.sum(a, axis=None, value=True),
                 lambda: functools.partial(jr.sum, value=True)(a), lambda: type(jr.sum).__call__(jr.sum, a, value=True),
                 lambda: type(jr.sum).__call__(jr.sum, a).numpy()[()], lambda: jr.sum(a, value=False).numpy()[()],
                 lambda: jr.sum(a, None).numpy()[()], lambda: jr.sum(a, **{}).numpy()[()], lambda: max(map(jr.sum, one)).numpy()[()])
        for number, form in enumerate(forms):
            with self.subTest(number):
                self.assertEqual(form(), 10)
        for wrong in (lambda: jr.sum(), lambda: jr.sum(x=a), lambda: jr.sum(a, valu=True), lambda: jr.sum(value=True)):
            self.assertRaises(TypeError, wrong)

    def test_plans_of_the_short_way_are_those_of_the_default_context(self):
        a, mine, before = made(Exchanged, numbers("f", 100)), jr.Context(os.environ.get("JITREDUCE_DEVICE", "sim")), jr.default_context()
        jr.sum(a)
        jr.set_default_context(mine)
        try:
            jr.sum(a, value=True)
            self.assertEqual(sum(mine.counters()[name] for name in ("memory_hits", "disk_hits", "compiles")) > 0, True)
        finally:
            jr.set_default_context(before)

    def test_a_table_of_another_version_is_told_and_an_older_one_is_taken(self):
        old = producers.table()
        new = producers.table(major=2, older=old)

        class Newer(Exchanged):
            """With both."""

            __dlpack_c_exchange_api__ = producers.capsule_of(new)

        class Newest(Exchanged):
            """Without ours."""

            alone = producers.table(major=2)
            __dlpack_c_exchange_api__ = producers.capsule_of(alone)

        class Wrong(Exchanged):
            """No capsule."""

            __dlpack_c_exchange_api__ = "table"

        self.assertEqual(jr.sum(Newer(np.arange(4)), value=True), 6)
        self.assertRaisesRegex(TypeError, "version 2 of DLPack", lambda: jr.sum(Newest(np.arange(4))))
        self.assertRaisesRegex(TypeError, "not a capsule", lambda: jr.sum(Wrong(np.arange(4))))

    def test_elements_that_cannot_be_reduced_are_named(self):
        a = made(Exchanged, np.zeros(4, "l"))
        for kind, words in (((5, 64, 1), "complex with 64 bits"), ((8, 8, 1), "float8_e4m3 with 8 bits"),
                            ((17, 4, 1), "float4_e2m1fn"), ((2, 32, 2), "vectors of 2"), ((99, 8, 1), "unknown"),
                            ((2, 128, 1), "float with 128 bits")):
            with unittest.mock.patch.object(Exchanged, "kind", kind), self.assertRaisesRegex(TypeError, words):
                jr.sum(a)
            with unittest.mock.patch.object(Exchanged, "kind", kind), self.assertRaisesRegex(TypeError, words):
                jr.sum(a, axis=0)

    def test_small_floats_are_reduced(self):
        bits = np.array([0x3F80, 0x4000, 0x4040], "u2").view("i2")  # 1, 2, 3
        with unittest.mock.patch.dict(producers.TYPES, {(4, 16): "bfloat16"}):
            a = made(Exchanged, bits)
            with unittest.mock.patch.object(Exchanged, "kind", (4, 16, 1)):
                found = jr.sum(a, value=True)
        self.assertEqual(found, 6)

    def test_memory_that_may_only_be_read_is_read_and_not_written(self):
        a = made(Exchanged, np.arange(4))
        with unittest.mock.patch.object(Exchanged, "flags", 1):
            self.assertEqual(jr.sum(a, axis=0).numpy(), 6)
            self.assertRaisesRegex(ValueError, "read-only", lambda: jr.cumulative_sum(made(OwnArray, np.arange(4)), out=a))


class Capsules(Judged):
    """__dlpack__."""

    def test_a_capsule_is_used_once(self):
        capsule = made(OwnArray, np.arange(4)).__dlpack__(stream=1, max_version=(1, 2))
        self.assertIn('"dltensor_versioned"', repr(capsule))
        self.assertEqual(_jitreduce.Array.of_capsule(capsule, 1).shape, (4,))
        self.assertRaisesRegex(ValueError, "used already", _jitreduce.Array.of_capsule, capsule, 1)

    def test_a_device_array_tells_of_itself(self):
        a = jr.DeviceArray.of(np.arange(6, dtype="i2"))
        self.assertIn('"dltensor"', repr(a.__dlpack__()))
        self.assertEqual(a.__dlpack_device__(), producers.DEVICE)
        self.assertEqual(a.__cuda_array_interface__, {"shape": (6,), "typestr": "<i2", "data": (a.address, False),
                                                      "version": 3, "strides": (2,), "stream": 1})
        for arguments in ({"dl_device": (1, 0)}, {"copy": True}):
            self.assertRaisesRegex(BufferError, "cannot be copied", a.__dlpack__, **arguments)
        self.assertRaises(AttributeError, lambda: jr.DeviceArray(3, "bfloat16").__cuda_array_interface__)

    def test_host_arrays_come_by_capsules_too(self):
        class Host:
            """NumPy's, told by DLPack alone."""

            def __init__(self, x):
                self.x = x

            def __dlpack__(self, **arguments):
                return self.x.__dlpack__(**arguments)

            def __dlpack_device__(self):
                return self.x.__dlpack_device__()

        self.assertEqual(jr.sum(Host(np.arange(5))), 10)
        self.assertEqual(list(jr.sum(Host(np.ones((2, 3), "i")), axis=0)), [2, 2, 2])


class Interface(Judged):
    """__cuda_array_interface__."""

    def test_what_it_tells_is_checked(self):
        a = made(InterfaceArray, np.arange(4, dtype="f4"))
        for told, error, words in (({"typestr": "<c8"}, TypeError, "'<c8'"), ({"typestr": ">f4"}, TypeError, "'>f4'"),
                                   ({"typestr": "<V2"}, TypeError, "'<V2'"), ({"mask": a}, TypeError, "mask"),
                                   ({"stream": 0}, (TypeError, ValueError), "stream 0")):
            with unittest.mock.patch.object(InterfaceArray, "told", told), self.assertRaisesRegex(error, words):
                jr.sum(a)

    def test_version_2_has_no_stream_and_may_have_no_strides(self):
        a = made(InterfaceArray, np.arange(4, dtype="f4"))
        told = a.__cuda_array_interface__
        with unittest.mock.patch.object(InterfaceArray, "told", {"version": 2, "stream": None, "strides": None}):
            self.assertEqual(jr.sum(a, value=True), 6)
        self.assertEqual(told["version"], 3)


class Devices(Judged):
    """Whose device it is."""

    def test_an_array_of_another_device_is_reduced_there_or_told(self):
        a = made(jr.DeviceArray, np.arange(4))
        with self.assertRaisesRegex(ValueError, "device memory of|on device 1|context on"):
            seen = a._array
            other = _jitreduce.Array.at(a, "i64", (4,), (8,), seen.address, False, seen.device[0], 1, 1)
            jr.sum(jr._device.of_memory(jr.default_context(), a, other), context=jr.default_context())
        with self.assertRaisesRegex(ValueError, "kind 10"):
            other = _jitreduce.Array.at(a, "i64", (4,), (8,), seen.address, False, 10, 0, 1)
            jr.sum(jr._device.of_memory(jr.default_context(), a, other))
        with self.assertRaisesRegex(ValueError, "on CUDA device 0"):
            other = _jitreduce.Array.at(a, "i64", (4,), (8,), seen.address, False, 2, 0, 1)
            jr.sum(jr._device.of_memory(jr.default_context(), a, other), context=jr.Context("sim"))

    def test_device_memory_is_not_seen_as_host_memory(self):
        a = jr.DeviceArray.of(np.arange(4))
        self.assertRaisesRegex(BufferError, "host memory", memoryview, a._array)
        with self.assertRaisesRegex(TypeError, "host memory"):
            _jitreduce.reduce(jr.default_context()._context, _jitreduce.Spec(op="sum", type="i64"), (a._array,))
