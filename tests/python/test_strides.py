"""Views with gaps, backwards, broadcast, sliding, in any order of memory, in host and in device memory, held against NumPy."""

import contextlib
import itertools
import unittest
import unittest.mock

import numpy as np

import jitreduce as jr
from jitreduce import _jitreduce
from test_replay import python_calls
from test_reductions import TYPES, Judged, numbers, sample

GAPS = (("gaps", np.s_[:, ::2]), ("a part", np.s_[1:5, 2:7]), ("rows", np.s_[::2]), ("one channel", np.s_[..., 1]), ("two channels", np.s_[..., ::2]),
        ("backwards", np.s_[::-1, ::-2]))
RANDOM_TYPES = "".join(sample(("bd", "hif"), 0, 2))


def views(dtype):
    """(name, view) of each kind."""
    x, line = numbers(dtype, (6, 8, 3)), numbers(dtype, 40)
    return (("gaps", x[:, ::2]), ("backwards", x[::-1]), ("backwards along all axes", x[::-1, ::-1, ::-1]), ("one channel", x[..., 1]), ("a part", x[1:4, 2:7]),
            ("broadcast", np.broadcast_to(x[0, :, 0], (5, 8))), ("a line backwards", line[::-1]), ("every third", line[1::3]), ("every third backwards", line[::-3]),
            ("sliding", np.lib.stride_tricks.sliding_window_view(line, 7)), ("transposed gaps", x[:, ::3].transpose(2, 0, 1)), ("the diagonal", x[..., 0].diagonal()),
            ("Fortran's order", np.asfortranarray(x)), ("one number", np.broadcast_to(line[3], (4, 5))), ("columns of one row", x[:1, ::2]))


def on_device(view):
    """A DeviceArray that lies in device memory as a view does in host memory."""
    first, last = np.lib.array_utils.byte_bounds(view) if hasattr(np.lib, "array_utils") else np.byte_bounds(view)
    raw = np.ctypeslib.as_array((np.ctypeslib.ctypes.c_ubyte * (last - first)).from_address(first))
    memory = jr.DeviceArray.of(raw)
    kind = {"?": "bool", "f": "f32"}.get(view.dtype.char, f"{'e' if view.dtype.kind == 'x' else view.dtype.kind}{8 * view.itemsize}")
    array = _jitreduce.Array.at(memory, kind, view.shape, view.strides, memory.address + view.__array_interface__["data"][0] - first, True,
                                *memory._array.device, 1)
    return jr._device.of_memory(jr.default_context(), memory, array)


def random_view(rng, dtype):
    """A view of two to four dimensions: permuted, with steps of any sign, rows that are repeated, windows."""
    view = numbers(dtype, tuple(int(size) for size in rng.integers(2, 7, rng.integers(2, 5))))
    view = view.transpose(rng.permutation(view.ndim))
    view = view[tuple(slice(None, None, int(rng.choice((1, 2, -1, -2)))) for _ in range(view.ndim))]
    if view.ndim < 4 and rng.integers(3) == 0:
        view = np.broadcast_to(view, (3, *view.shape)).swapaxes(0, int(rng.integers(view.ndim)))
    elif view.ndim < 4 and view.shape[-1] > 2 and rng.integers(2) == 0:
        view = np.lib.stride_tricks.sliding_window_view(view, 2, axis=view.ndim - 1)
    return view


def gaps(view):
    """Whether a view is not all of some memory, in some order of its axes."""
    axes = sorted(range(view.ndim), key=lambda axis: -view.strides[axis])
    return not view.transpose(axes).flags.c_contiguous


class Host(Judged):
    """Arrays in host memory."""

    def test_every_view_of_every_type(self):
        for turn, dtype in enumerate(TYPES):
            for name, view in sample(views(dtype), turn, 5):
                with self.subTest(dtype=dtype, name=name):
                    self.same(jr.sum(view), np.sum(view))

    def test_every_axis_of_every_view(self):
        for name, view in sample(views("i"), 1):
            for count in range(1, view.ndim + 1):
                for axes in itertools.combinations(range(view.ndim), count):
                    with self.subTest(name=name, axes=axes):
                        self.same(jr.sum(view, axis=axes, keepdims=count == 2), np.sum(view, axis=axes, keepdims=count == 2))

    def test_an_index_is_that_of_c_order(self):
        for name, view in sample(views("b"), 2):
            with self.subTest(name=name):
                self.same(jr.argmax(view), np.argmax(view))
                self.same(jr.argmin(view), np.argmin(view))
                self.same(jr.argmin(view, axis=-1), np.argmin(view, axis=-1))
                self.same(jr.Reduction("sum", map="i < 5 ? x : 0", map_type="int64")(view), np.sum(view.ravel()[:5], dtype="l"))
                first = jr.Reduction(combine="a != 0 ? a : b", identity="0")
                self.assertEqual(first(view), view.ravel()[np.flatnonzero(view.ravel())[0]] if view.any() else 0)

    def test_masks_and_other_arrays_may_lie_otherwise(self):
        x, mask = numbers("d", (6, 8)), numbers("d", (6, 8)) > 0
        for theirs in (mask[::-1], np.asfortranarray(mask), np.broadcast_to(mask[0], (6, 8)), np.repeat(mask, 2, axis=1)[:, ::2]):
            self.same(jr.sum(x, axis=1, where=theirs), np.sum(x, axis=1, where=theirs))
            self.same(jr.sum(x[::-1], where=theirs), np.sum(x[::-1], where=theirs))
            self.same(jr.dot(x, np.asfortranarray(x)), np.sum(x * x))
            self.same(jr.argmax(x.T, where=theirs.T), np.argmax(np.where(theirs, x, -100).T))

    def test_scans_keys_states_and_copies(self):
        x = numbers("d", (6, 8))
        for view in (x[:, ::2], x[::-1], x[::-1, ::-1], np.broadcast_to(x[0], (3, 8))):
            for axis in (0, 1):
                self.same(jr.cumulative_sum(view, axis=axis), np.cumsum(view, axis=axis))
            self.same(jr.DeviceArray.of(view).numpy(), view)
            self.assertEqual(jr.ExactState().add(view).value(), view.sum())
        keys = np.array([3, 9, 3, 9, 4, 9, 4, 9])[::2]
        for values in (x[0, ::2], x[0, ::-2]):
            self.same(jr.reduce_by_key(keys, values)[1], np.array([values[:2].sum(), values[2:].sum()]))
        self.same(jr.reduce_by_key(np.array([1, 1, 2])[::-1], x[0, :3])[0], np.array([2, 1]))

    def test_scans_of_random_views_are_read_where_they_lie(self):
        rng = np.random.default_rng(45)
        for number in sample(range(10), 0):
            view = random_view(rng, RANDOM_TYPES[number % len(RANDOM_TYPES)])
            axis, mask = int(rng.integers(view.ndim)), np.broadcast_to(rng.integers(0, 2, view.shape[-1]) > 0, view.shape)
            with self.subTest(number=number, shape=view.shape, strides=view.strides, axis=axis), \
                 unittest.mock.patch.object(jr._engine.Call, "order", side_effect=AssertionError("a copy")) if gaps(view) else contextlib.nullcontext():
                self.same(jr.cumulative_sum(view, axis=axis), np.cumsum(view, axis=axis))
                self.same(jr.scan(view, axis=axis, where=mask), np.cumsum(np.where(mask, view, np.zeros((), view.dtype)), axis=axis))
                self.same(jr.scan(view, op="max", axis=axis), np.maximum.accumulate(view, axis=axis))
                begun = np.insert(np.cumsum(view, axis=axis), 0, 0, axis=axis)
                self.same(jr.cumulative_sum(view, axis=axis, include_initial=True), begun)
                self.same(jr.cumulative_sum(view, axis=axis, exclusive=True), np.delete(begun, -1, axis=axis))

    def test_a_scan_may_overwrite_what_it_reads(self):
        x = np.arange(12.0)
        for view, out in ((x[::-1], x), (x[::2], x[:6]), (x[::-2], x[3:9])):
            wanted = np.cumsum(view)
            self.assertIs(jr.cumulative_sum(view, out=out), out)
            self.same(out, wanted)
            x[:] = np.arange(12.0)

    def test_random_views_are_read_where_they_lie(self):
        rng, order = np.random.default_rng(43), jr._engine.Call.order

        def uncopied(call, *args):
            found = order(call, *args)
            self.assertFalse(call.copied)
            return found

        for number in sample(range(24), 1):
            view = random_view(rng, RANDOM_TYPES[number % len(RANDOM_TYPES)])
            axes = tuple(int(axis) for axis in rng.permutation(view.ndim)[:rng.integers(1, view.ndim + 1)])
            mask = np.broadcast_to(rng.integers(0, 2, view.shape[-1]) > 0, view.shape)
            with self.subTest(number=number, shape=view.shape, strides=view.strides, axes=axes), unittest.mock.patch.object(jr._engine.Call, "order", uncopied):
                self.same(jr.sum(view, axis=axes, where=mask), np.sum(view, axis=axes, where=mask))
                self.same(jr.max(view, axis=axes, keepdims=True), np.max(view, axis=axes, keepdims=True))
                self.same(jr.argmax(view, axis=axes[0]), np.argmax(view, axis=axes[0]))
                self.same(jr.argmin(view), np.argmin(view))
                self.assertEqual(jr.sum(view, value=True), np.sum(view))
                self.assertEqual(jr.minmax(view), (view.min(), view.max()))
        with self.assertRaisesRegex(jr.EmptyInputError, "where or nan leaves none;"):
            jr.min(numbers("d", (6, 8))[:, ::2], where="x > 1000")

    def test_a_large_copy_is_made_in_parts(self):
        line = numbers("d", 60)
        windows = np.lib.stride_tricks.sliding_window_view(line, 9)
        cases = (*views("i"), ("windows", windows), ("windows across", np.lib.stride_tricks.sliding_window_view(numbers("d", (7, 8)), (3, 4))))
        with unittest.mock.patch.object(jr._engine, "PART_BYTES", 100), unittest.mock.patch.object(jr._engine.Call, "may_lie_apart", return_value=False):
            for name, view in sample(cases, 1):
                for axis in sample((0, -1, tuple(range(1, view.ndim))), len(name)):
                    with self.subTest(name=name, axis=axis):
                        self.same(jr.sum(view, axis=axis), np.sum(view, axis=axis))
                        self.same(jr.max(view, axis=axis, keepdims=True, where=view > 2, initial=-9), np.max(view, axis=axis, keepdims=True, where=view > 2, initial=-9))
            self.same(jr.argmax(windows, axis=1), np.argmax(windows, axis=1))
            for ours, theirs in zip(jr.minmax(windows, axis=1), (windows.min(axis=1), windows.max(axis=1))):
                self.same(ours, theirs)
            out = np.zeros(52)
            self.assertIs(jr.sum(windows, axis=1, out=out), out)
            self.same(out, windows.sum(axis=1))
            with self.assertRaisesRegex(jr.EmptyInputError, r"leaves none for the result at \(50,\)"):
                jr.max(np.lib.stride_tricks.sliding_window_view(np.append(np.ones(51), np.zeros(9)), 9), axis=1, where=np.arange(52)[:, None] != 50)
            with unittest.mock.patch.object(jr._engine, "_reduce_parts", side_effect=AssertionError("in parts")):
                self.same(jr.sum(line.reshape(6, 10).T, axis=0), np.sum(line.reshape(6, 10).T, axis=0))  # no copy
                with self.assertRaisesRegex(AssertionError, "in parts"):
                    jr.sum(windows, axis=1)

    def test_elements_that_are_not_aligned_are_copied(self):
        x = numbers("d", 12)
        fields = np.zeros(12, np.dtype([("small", "i1"), ("x", "f8"), ("n", "i4")]))
        fields["x"], fields["n"] = x, np.arange(12)
        shifted = np.frombuffer(b"\0" + x.tobytes(), "u1")[1:].view("f8")
        self.same(jr.sum(fields["x"]), x.sum())
        self.same(jr.argmax(fields["n"]), np.int64(11))
        self.same(jr.max(shifted), x.max())
        self.same(jr.sum(fields["x"][::2], where=fields["n"][::2] > 3), x[4::2].sum())

    def test_a_view_that_is_as_it_was_is_still_no_copy(self):
        for name, copied, view in (("C's", False, numbers("d", (6, 8))), ("Fortran's", False, numbers("d", (6, 8)).T), ("gaps", True, numbers("d", (6, 8))[:, ::2])):
            call = jr._engine.Call((view,), {})
            call.fields["op"] = "sum"
            jr._engine.layout_of(call, None, False)
            self.assertEqual((name, call.copied, call.arrays[0].address == view.__array_interface__["data"][0]), (name, copied, not copied))
        call = jr._engine.Call((view := numbers("d", 9)[::-1],), {})
        call.fields["op"] = "sum"
        jr._engine.layout_of(call, None, False)
        self.assertEqual(call.arrays[0].address, view[-1:].__array_interface__["data"][0])


class Device(Judged):
    """The same in device memory."""

    def test_every_view(self):
        for name, view in sample(views("f"), 0):
            seen = on_device(view)
            for _ in range(2):  # what is learned of the first call must not be what the second one runs
                with self.subTest(name=name):
                    self.same(jr.sum(seen).numpy(), np.asarray(np.sum(view)))
                    self.same(jr.max(seen, axis=0).numpy(), np.asarray(np.max(view, axis=0)))
                    self.same(jr.argmax(seen).numpy(), np.asarray(np.argmax(view)))
                    self.assertEqual(jr.sum(seen, value=True), np.sum(view))

    def test_neighbours_that_follow_each_other_are_one_axis(self):
        for view, walk in ((np.zeros((4, 6, 3))[:, ::2], [(12, 6), (3, 1)]), (np.zeros((4, 6, 3))[::2, :, :], [(2, 36), (18, 1)]), (np.zeros((4, 6))[::-1, ::-1], [(24, -1)]),
                           (np.broadcast_to(np.zeros(3), (2, 4, 3)), [(8, 0), (3, 1)]), (np.zeros((1, 1)), [(1, 0)])):
            self.assertEqual(jr._layout.walk_of(on_device(view)._array, range(view.ndim), 8), walk)

    def test_every_size_of_element(self):
        for turn, dtype in enumerate("?bhid"):
            for name, view in sample(views(dtype)[:4], turn, 2):
                with self.subTest(dtype=dtype, name=name):
                    self.same(jr.min(on_device(view)).numpy(), np.asarray(np.min(view)))

    def test_scans_masks_and_keys(self):
        x = numbers("d", (6, 8))
        view, mask = x[::-1, ::2], (x > 0)[:, ::2]
        self.same(jr.cumulative_sum(on_device(view), axis=1).numpy(), np.cumsum(view, axis=1))
        self.same(jr.sum(on_device(view), axis=0, where=on_device(mask)).numpy(), np.sum(view, axis=0, where=mask))
        keys, values = np.array([3, 9, 3, 9, 4, 9, 4, 9])[::2], x[0, ::-2]
        self.same(jr.reduce_by_key(on_device(keys), on_device(values))[1].numpy(), np.array([values[:2].sum(), values[2:].sum()]))

    def test_a_plan_and_a_capture_make_no_copy(self):
        seen, stream = on_device(numbers("d", (6, 8))[:, ::2]), jr.Stream()
        for refused in (lambda: jr.Plan("sum", seen, accuracy="reproducible"), lambda: jr.Plan(("min", "max"), seen),
                        lambda: jr.Plan("sum", seen, where=jr.DeviceArray.of(np.ones(4, bool)))):
            with self.assertRaisesRegex(ValueError, "a plan reads arrays where they lie"):
                refused()
        with self.assertRaisesRegex(ValueError, "copy it before the capture"), stream.capture():
            jr.sum(seen, axis=0, accuracy="reproducible", stream=stream)

    def test_a_plan_reads_views(self):
        x = numbers("d", (6, 8, 3))
        for name, slices in (*GAPS, ("reversed", np.s_[::-1]), ("one row again", np.s_[:1])):
            view = np.broadcast_to(x[slices], (4, 8, 3)) if name == "one row again" else x[slices]
            seen = on_device(view)
            with self.subTest(name=name):
                plan, shape = jr.Plan("sum", seen, axis=1), np.sum(view, axis=1).shape
                out = jr.DeviceArray(shape, "float64") if name != "one row again" else jr.DeviceArray(shape[::-1], "float64").T
                plan.run(seen, out=out)
                self.same(out.numpy(), np.sum(view, axis=1))
                self.assertEqual(jr.Plan("sum", seen).value(seen), np.sum(view))
                self.assertEqual(jr.Plan("argmax", seen).value(seen), np.argmax(view))
                mask = on_device((x > 0)[slices]) if name != "one row again" else on_device(np.broadcast_to((x > 0)[:1], (4, 8, 3)))
                self.assertEqual(jr.Plan("max", seen, where=mask).value(seen, where=mask), np.max(view, where=np.asarray(view) > 0, initial=-100))
                with self.assertRaisesRegex(ValueError, "the plan was made for float64"):
                    plan.run(jr.DeviceArray.of(view[..., :1]), out=out)

    def test_a_captured_reduction_reads_a_view_again_and_again(self):
        x, out, stream = numbers("d", (6, 8)), jr.DeviceArray(6, "float64"), jr.Stream()
        seen = on_device(x[:, ::2])
        jr.sum(seen, axis=1, out=out, stream=stream)
        with stream.capture() as graph:
            jr.sum(seen, axis=1, out=out, stream=stream)
        graph.launch()
        stream.wait()
        self.same(out.numpy(), x[:, ::2].sum(axis=1))

    def test_gaps_are_passed_over_where_all_elements_are_reduced(self):
        for turn, (name, slices) in sample(tuple(enumerate(GAPS)), 0, 2):
            x, mask = np.full((6, 8, 3), np.nan), np.zeros((6, 8, 3), bool)
            x[slices] = numbers("d", x[slices].shape)
            mask[slices] = x[slices] > 0
            view, chosen = x[slices], mask[slices]
            seen, theirs = on_device(view), on_device(chosen)
            with self.subTest(name=name), unittest.mock.patch.object(jr._launch, "packed", side_effect=AssertionError("a copy")):
                for function in sample(("sum", "prod", "min", "max", "mean", "any", "count_nonzero"), turn, 6):
                    np.testing.assert_allclose(getattr(jr, function)(seen).numpy(), getattr(np, function)(view), rtol=1e-14 if function == "prod" else 0, err_msg=function)
                self.same(jr.sum(seen, keepdims=True).numpy(), np.sum(view, keepdims=True))
                self.assertAlmostEqual(jr.var(seen, value=True), np.var(view))
                self.assertAlmostEqual(jr.norm(seen, value=True), np.linalg.norm(view.ravel()))
                self.assertEqual(jr.sum(seen, accuracy="exact", value=True), np.sum(view))
                self.assertEqual(jr.sum(seen, where="x > limit || x < -5", parameters={"limit": 2}, value=True), np.sum(view, where=(view > 2) | (view < -5)))
                self.assertEqual(jr.max(seen, initial=100, value=True), 100)
                self.assertEqual(jr.minmax(seen, value=True), (view.min(), view.max()))
                self.assertEqual(jr.dot(seen, seen, value=True), np.sum(view * view))
                self.assertEqual(jr.sum(seen, where=theirs, value=True), np.sum(view, where=chosen))
                out = jr.DeviceArray((), "float64")
                self.assertIs(jr.sum(seen, out=out), out)
                self.assertEqual(out.numpy(), np.sum(view))

    def test_long_rows_with_long_gaps_are_read_row_by_row(self):
        x = numbers("d", (6, 32))
        for columns, value, by_rows in ((16, False, True), (16, True, False), (15, False, False), (24, False, False)):
            view = on_device(x[:, :columns])
            with unittest.mock.patch.object(jr._engine.Call, "spec_of", autospec=True, side_effect=jr._engine.Call.spec_of) as made, \
                    unittest.mock.patch.object(jr._launch, "packed", side_effect=AssertionError("a copy")):
                jr._jitreduce.forget()
                found = jr.sum(view, where="x < 1e9", value=value)
            self.assertAlmostEqual(float(found), x[:, :columns].sum())
            selected = any("row_of_view" in call.args[1].get("where", "") for call in made.call_args_list)
            self.assertEqual(selected, not by_rows, (columns, value))

    def test_what_needs_places_or_lies_far_apart_is_read_where_it_lies(self):
        x = numbers("d", (6, 8, 3))
        view = x[:, ::2]
        cases = [(lambda a: jr.argmax(a), np.argmax(view), view), (lambda a: jr.Reduction("sum", finish="a / n")(a), view.mean(), view),
                 (lambda a: jr.Reduction("sum", map="i * x")(a), np.sum(view.ravel() * range(view.size)), view),
                 (lambda a: jr.sum(a, where=on_device((x > 0)[:, :4])), np.sum(view, where=x[:, :4] > 0), view),
                 (lambda a: jr.sum(a, where="x > row_of_view", parameters={"row_of_view": 2}), np.sum(view, where=view > 2), view),
                 (lambda a: jr.sum(a, where="x > p0", parameters={f"p{k}": 2 for k in range(16)}), np.sum(view, where=view > 2), view),
                 (lambda a: jr.argmin(a), np.argmin(x.T), np.asfortranarray(x).T)]
        for far in (x.ravel()[::5], x[::2, ::2, ::2], np.lib.stride_tricks.sliding_window_view(x.ravel(), 7), np.broadcast_to(x[0, ::2, 0], (5, 4))):
            cases.append((lambda a: jr.sum(a), far.sum(), far))
        for call, expected, of in cases:
            with unittest.mock.patch.object(jr._launch, "packed", side_effect=AssertionError("a copy")):
                self.assertAlmostEqual(call(on_device(of)).item(), expected)

    def test_what_kernels_do_not_read_is_copied(self):
        view = numbers("d", (6, 8, 3))[:, ::2]
        many = np.lib.stride_tricks.as_strided(numbers("d", 400), (2,) * 5, [8 * step for step in (1, 100, 7, 31, 205)])
        far = np.broadcast_to(view[0, :, 0], (5, 4))
        for call, expected, of in ((lambda a: jr.sum(a, accuracy="reproducible"), view.sum(), view), (lambda a: jr.sum(a), many.sum(), many),
                                   (lambda a: jr.sum(a, algorithm="two_pass"), far.sum(), far), (lambda a: jr.sum(a, value=True), far.sum(), far)):
            with unittest.mock.patch.object(jr._launch, "packed", side_effect=jr._launch.packed) as packed:
                self.assertAlmostEqual(getattr(found := call(on_device(of)), "item", lambda: found)(), expected)  # pylint: disable=cell-var-from-loop
                self.assertTrue(packed.called)

    def test_axes_of_random_views_are_read_where_they_lie(self):
        rng = np.random.default_rng(42)
        for number in sample(range(40), 2, 4):
            view, theirs = random_view(rng, RANDOM_TYPES[number % len(RANDOM_TYPES)]), None
            axes = tuple(int(axis) for axis in rng.permutation(view.ndim)[:rng.integers(1, view.ndim + 1)])
            if number % 3 == 0:
                theirs = np.broadcast_to(rng.integers(0, 2, view.shape[-1]) > 0, view.shape)
            with self.subTest(number=number, shape=view.shape, strides=view.strides, axes=axes), \
                 unittest.mock.patch.object(jr._launch, "packed", side_effect=AssertionError("a copy")):
                seen, where = on_device(view), {} if theirs is None else {"where": theirs}
                given = {} if theirs is None else {"where": on_device(theirs)}
                self.same(jr.sum(seen, axis=axes, **given).numpy(), np.asarray(np.sum(view, axis=axes, **where)))
                self.same(jr.max(seen, axis=axes, keepdims=True).numpy(), np.max(view, axis=axes, keepdims=True))
                self.same(jr.argmax(seen, axis=axes[0]).numpy(), np.asarray(np.argmax(view, axis=axes[0])))
                self.same(jr.argmin(seen).numpy(), np.asarray(np.argmin(view)))

    def test_scans_of_random_views_are_read_where_they_lie(self):
        rng = np.random.default_rng(44)
        for number in range(15):
            view, theirs = random_view(rng, RANDOM_TYPES[number % len(RANDOM_TYPES)]), None
            axis = int(rng.integers(view.ndim))
            if number % 3 == 0:
                theirs = rng.integers(0, 2, view.shape) > 0
            with self.subTest(number=number, shape=view.shape, strides=view.strides, axis=axis), \
                 unittest.mock.patch.object(jr._launch, "packed", side_effect=AssertionError("a copy")):
                seen, given = on_device(view), {} if theirs is None else {"where": on_device(theirs)}
                expected = np.cumsum(view if theirs is None else np.where(theirs, view, np.zeros((), view.dtype)), axis=axis)
                self.same(jr.scan(seen, axis=axis, **given).numpy(), expected)
                self.same(jr.cumulative_max(seen, axis=axis).numpy(), np.maximum.accumulate(view, axis=axis))
                begun = np.insert(np.cumsum(view, axis=axis), 0, 0, axis=axis)
                self.same(jr.cumulative_sum(seen, axis=axis, include_initial=True).numpy(), begun)
                self.same(jr.cumulative_sum(seen, axis=axis, exclusive=True).numpy(), np.delete(begun, -1, axis=axis))

    def test_scans_of_a_view_are_replayed(self):
        x = numbers("d", (6, 8, 3))
        for name, slices in GAPS:
            for axis in (0, -1):
                for number, values in enumerate((x, x + 1, x * x)):
                    seen = on_device(values[slices])
                    found, ran = python_calls(lambda: jr.cumulative_sum(seen, axis=axis))  # pylint: disable=cell-var-from-loop
                    with self.subTest(name=name, axis=axis, number=number):
                        self.same(found.numpy(), np.cumsum(values[slices], axis=axis))
                        self.assertTrue(number == 0 or not ran, ran)

    def test_a_scan_may_overwrite_what_it_reads(self):
        x, apart = jr.DeviceArray.of(np.arange(12.0)), jr.DeviceArray(12, "float64")
        for out in (apart, x, apart, x):  # what is learned of the first call must not be what the second one runs
            x.write(np.arange(12.0))
            self.assertIs(jr.cumulative_sum(x[::-1], out=out), out)
            self.same(out.numpy(), np.cumsum(np.arange(12.0)[::-1]))

    def test_a_captured_scan_reads_a_view_again_and_again(self):
        x, out, stream = numbers("d", (6, 8)), jr.DeviceArray((6, 4), "float64"), jr.Stream()
        seen = on_device(x[:, ::2])
        jr.cumulative_sum(seen, axis=1, out=out, stream=stream)
        with stream.capture() as graph:
            jr.cumulative_sum(seen, axis=1, out=out, stream=stream)
        graph.launch()
        stream.wait()
        self.same(out.numpy(), np.cumsum(x[:, ::2], axis=1))

    def test_axes_of_a_view_are_replayed(self):
        x = numbers("d", (6, 8, 3))
        for name, slices in GAPS:
            for axis in (0, -1, (0, 1)):
                for number, values in enumerate((x, x + 1, x * x)):
                    view = values[slices]
                    if isinstance(axis, tuple) and view.ndim < 3:
                        continue
                    seen = on_device(view)
                    for function in ("sum", "argmax") if not isinstance(axis, tuple) else ("sum",):
                        found, ran = python_calls(lambda: getattr(jr, function)(seen, axis=axis))  # pylint: disable=cell-var-from-loop
                        with self.subTest(name=name, axis=axis, number=number, function=function):
                            self.same(found.numpy(), np.asarray(getattr(np, function)(view, axis=axis)))
                            self.assertTrue(number == 0 or not ran, ran)

    def test_a_view_that_is_not_copied_is_replayed(self):
        x = numbers("d", (6, 8))
        for name, slices in (*GAPS[:3], ("backwards", np.s_[::-1]), ("gaps backwards", np.s_[::-1, ::-2])):
            for function in (jr.sum, jr.max, lambda a, **more: jr.sum(a, where=a, **more)):
                for dtype in "d?":
                    if function in (jr.sum, jr.max) or dtype == "?":
                        self.replayed(name, function, [on_device(values.astype(dtype)[slices]) for values in (x, x + 1, x * x)])

    def replayed(self, name, function, seen):
        """Holds calls with arrays that lie alike against NumPy; the second one and later ones run no Python code."""
        for number, one in enumerate(seen):
            for more in ({}, {"value": True}):
                found, ran = python_calls(lambda: function(one, **more))  # pylint: disable=cell-var-from-loop
                expected = one.numpy().max() if function is jr.max else one.numpy().sum()
                with self.subTest(name=name, number=number, more=more):
                    self.assertEqual(found if more else found.item(), expected)
                    self.assertTrue(number == 0 or not ran, ran)


if __name__ == "__main__":
    unittest.main()
