"""Scans of every operator, by keys and by offsets, and reductions between offsets, in both memories, held against NumPy."""

import itertools

import numpy as np

import jitreduce as jr
from test_reductions import Judged, numbers, sample

RUNNING = {"sum": np.cumsum, "prod": np.cumprod, "min": np.minimum.accumulate, "max": np.maximum.accumulate}
OFFSETS = np.array([0, 3, 3, 10, 11, 40])
KEYS = np.repeat([7, 8, 7, 9, 1], [3, 7, 1, 9, 20])


def pieces(x, ends):
    """The parts of an array that end at those places."""
    return [part for part in np.split(x, ends) if len(part)]


class Both(Judged):
    """A comparison in both memories."""

    def both(self, function, arrays, theirs, close=False, **options):
        """The same of host and of device memory, twice; arrays in options go where the others are."""
        self.same(function(*arrays, **options), theirs, close=close)
        placed = {name: jr.DeviceArray.of(value) if isinstance(value, np.ndarray) else value for name, value in options.items()}
        for _ in range(2):
            self.same(function(*map(jr.DeviceArray.of, arrays), **placed).numpy(), theirs, close=close)


class Scans(Both):
    """scan, cumulative_min, cumulative_max."""

    def test_every_operator_along_an_axis(self):
        x = numbers("d", (4, 7)) % 3 + 1
        for op, theirs in sample([*RUNNING.items()], 0, 2):
            self.both(jr.scan, (x[0],), theirs(x[0]), op=op)
        for op, theirs in sample([*RUNNING.items()], 1, 2):
            self.both(jr.scan, (x,), theirs(x, axis=0), op=op, axis=0)
        self.both(jr.scan, (x[0],), np.array([x[0, :n].mean() for n in range(1, 8)]), op="mean", close=True)
        self.both(jr.scan, (x[0],), np.array([x[0, :n].argmax() for n in range(1, 8)]), op="argmax")
        for name, op in (("cumulative_min", "min"), ("cumulative_max", "max")):
            for turn, dtype in enumerate("bd"):
                y = numbers(dtype, (3, 8))
                for axis in sample((0, 1), turn + (op == "max"), 2):
                    self.both(getattr(jr, name), (y,), RUNNING[op](y, axis=axis), axis=axis)

    def test_expressions_and_several_arrays(self):
        x, y = numbers("d", 30), numbers("d", 30)
        self.both(jr.scan, (x, y), np.cumsum(x * y), op=jr.Reduction("sum", map="x * y"))
        self.both(jr.scan, (x,), np.cumsum(np.where(x > 1, x, 0)), where="x > q", parameters={"q": 1})
        self.both(jr.scan, (x,), np.cumsum(np.where(y > 1, x, 0)), where=y > 1)
        last = jr.Reduction(combine="b != 0 ? b : a", identity="0")
        wanted = np.array([0, 3, 3, 5, 5.0])
        self.both(jr.scan, (np.array([0, 3, 0, 5, 0.0]),), wanted, op=last)

    def test_the_first_result(self):
        x = numbers("l", 9)
        for turn, (op, initial) in enumerate((("sum", 5), ("max", 1), ("prod", 2))):
            before = RUNNING[op](np.append(initial, x))
            for wanted, more in sample(((before[1:], {}), (before[:-1], {"exclusive": True}), (before, {"include_initial": True})), turn + 1):
                self.both(jr.scan, (x,), wanted, op=op, initial=initial, **more)
        for make in (np.asarray, jr.DeviceArray.of):
            for more in ({"exclusive": True}, {"include_initial": True}):
                self.assertRaisesRegex(jr.EmptyInputError, "of no elements", lambda: jr.scan(make(x), op="max", **more))
        self.assertRaisesRegex(jr.EmptyInputError, "where or nan skips the first elements: give initial", jr.scan, x, op="min", where="i > 2")

    def test_by_keys_and_by_offsets(self):
        x = numbers("d", 40) % 3 + 1
        ends = np.flatnonzero(np.diff(KEYS)) + 1
        for turn, op in enumerate(sample([*RUNNING], 0, 2)):
            for places, more in sample(((ends, {"keys": KEYS}), (OFFSETS, {"offsets": OFFSETS})), turn, 2):
                self.both(jr.scan, (x,), np.concatenate([RUNNING[op](part) for part in pieces(x, places)]), op=op, **more)
        before = np.concatenate([np.append(0, np.cumsum(part)[:-1]) for part in pieces(x, OFFSETS)])
        self.both(jr.scan, (x,), before, offsets=OFFSETS, exclusive=True)
        self.same(jr.scan(x, offsets=[0, 5]), np.concatenate([np.cumsum(x[:5]), np.cumsum(x[5:])]))
        self.same(jr.scan(x[::2], keys=KEYS[::2]), np.concatenate([np.cumsum(part) for part in pieces(x[::2], np.flatnonzero(np.diff(KEYS[::2])) + 1)]))
        out = np.zeros(40)
        self.assertIs(jr.scan(x, keys=KEYS, out=out), out)
        self.same(out, jr.scan(x, keys=KEYS))

    def test_nulls_count_nowhere(self):
        x = np.ma.masked_array([3.0, 9, 4, 1], [False, True, False, False])
        self.same(jr.scan(x, op="max"), np.array([3.0, 3, 4, 4]))
        self.same(jr.cumulative_sum(x), np.array([3.0, 3, 7, 8]))

    def test_mistakes(self):
        x = np.ones(4)
        for call, error, words in ((lambda: jr.scan(x, op=("sum", "max")), ValueError, "a scan takes one operator"), (lambda: jr.scan(x, keys=x, offsets=[0]), ValueError, "give one of them"),
                                   (lambda: jr.scan(x, "max"), TypeError, "not an array|give an operator by name|texts"), (lambda: jr.scan(x, keys=x[:3]), ValueError, "one key per element"),
                                   (lambda: jr.scan(x, keys=x, include_initial=True), ValueError, "not within segments"), (lambda: jr.scan(np.ones((2, 2)), keys=x), ValueError, "one dimension"),
                                   (lambda: jr.cumulative_sum(x, where="x > 1"), TypeError, r"jitreduce.scan\(x, 'sum', where=...\)"),
                                   (lambda: jr.cumulative_max(x, map="x"), TypeError, r'jitreduce.scan\(x, jitreduce.Reduction\("max", map=...\)\)')):
            self.assertRaisesRegex(error, words, call)


class Segments(Both):
    """reduce_segments."""

    def test_every_operator(self):
        x = numbers("d", 45)
        parts = [x[a:b] for a, b in itertools.pairwise(OFFSETS)]
        for op, theirs in sample((("sum", np.sum), ("mean", np.mean), ("prod", np.prod), ("any", np.any)), 1, 2):
            kept = np.array([theirs(part) if len(part) or op != "mean" else np.nan for part in parts])
            for dtype in ("u8", "i8"):
                self.both(jr.reduce_segments, (x, OFFSETS.astype(dtype)), kept, op=op, close=op == "mean")
            for offsets in (OFFSETS.astype("i4"), OFFSETS.tolist(), np.repeat(OFFSETS, 2)[::2]):
                self.same(jr.reduce_segments(x, offsets, op=op), kept, close=op == "mean")
        self.both(jr.reduce_segments, (x, OFFSETS), np.array([part.max(initial=-50) for part in parts]), op="max", initial=-50)
        (least, sums), counts = jr.reduce_segments(x, OFFSETS, op=("argmin", "sum"), counts=True)
        self.assertEqual((counts.tolist(), least[0], sums[0]), ([3, 0, 7, 1, 29], parts[0].argmin(), parts[0].sum()))
        self.same(jr.reduce_segments(x, OFFSETS, x, op="dot"), np.array([np.sum(part * part) for part in parts]))
        self.same(jr.reduce_segments(x, OFFSETS, op=jr.Reduction("sum", map="x * i")), np.array([np.sum(part * np.arange(len(part))) for part in parts]))
        self.same(jr.reduce_segments(x, [0]), np.zeros(0))

    def test_wrong_offsets_are_named(self):
        x = np.ones(5)
        for offsets, error, words in (([0, 3, 2], ValueError, r"offsets\[2\] is 2: .*do not descend"), ([0, 9], ValueError, r"offsets\[1\] is 9, and the array has 5 elements"),
                                      ([-1, 2], ValueError, r"offsets\[0\] is -1"), ([0.5, 1], TypeError, "whole numbers"), ([], (ValueError, TypeError), "offsets"),
                                      ([[0, 1]], ValueError, "one dimension")):
            self.assertRaisesRegex(error, words, jr.reduce_segments, x, offsets)
        with self.assertRaisesRegex(jr.EmptyInputError, r"segment 1 \(the first is 0\) is empty.*give initial, or counts=True"):
            jr.reduce_segments(x, [0, 2, 2], op="max")
        self.assertRaisesRegex(ValueError, "x is in device memory, offsets in host memory", lambda: jr.reduce_segments(jr.DeviceArray.of(x), [0, 2]))
