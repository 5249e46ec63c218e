"""Results for keys, held against NumPy's unique and its own reductions of each group."""

import array
from unittest import mock

import numpy as np

import jitreduce as jr
from producers import ALL, OwnArray, made
from test_device_arrays import RESULTS
from test_reductions import TYPES, Judged, numbers, sample

RANDOM = np.random.default_rng(17)
NUMPYS = {"sum": np.sum, "prod": np.prod, "min": np.min, "max": np.max, "mean": np.mean, "std": np.std, "any": np.any,
          "count_nonzero": lambda x: np.int64(np.count_nonzero(x))}


def grouped(keys, x, function):
    """NumPy's keys, the results of each group, and the groups' counts."""
    unique, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return unique, np.array([function(x[inverse == k]) for k in range(len(unique))]), counts


class Grouped(Judged):
    """group_by."""

    def judge(self, keys, x, op="sum", **options):
        """The same as NumPy says, with the counts."""
        found = jr.group_by(keys, x, op=op, counts=True, **{"unroll": 1, **options})
        wanted = grouped(keys, x, NUMPYS[op])
        self.same(found[0], wanted[0])
        self.same(found[1], wanted[1], close=op in ("mean", "std"))
        np.testing.assert_array_equal(found[2], wanted[2])

    def test_of_nans_alone_there_is_no_index(self):
        keys, x = np.array([1, 1, 2]), np.array([np.nan, np.nan, 5])
        for function in (jr.group_by, jr.reduce_by_key):
            self.assertRaisesRegex(jr.EmptyInputError, "argmax of no elements", function, keys, x, op="argmax", nan="ignore", unroll=1)
            self.assertEqual([one.tolist() for one in function(keys, x, op="argmax", nan="ignore", counts=True, unroll=1)[1:]], [[-1, 2], [0, 1]])
            np.testing.assert_array_equal(function(keys, x, op="max", nan="ignore", unroll=1)[1], [np.nan, 5])
        for call in (lambda: jr.argmin(x[:2], nan="ignore"), lambda: jr.reduce(x[:2], ("max", "argmax"), nan="ignore"), lambda: jr.argmax(x[:2].reshape(1, 2), axis=1, nan="ignore"),
                     lambda: jr.argmax(jr.DeviceArray.of(x[:2]), nan="ignore", value=True)):
            self.assertRaisesRegex(jr.EmptyInputError, "of no elements", call)
        self.assertEqual(jr.argmax(jr.DeviceArray.of(x[:2]), nan="ignore").item(), -1)
        self.assertEqual((jr.argmax(x, nan="ignore"), jr.argmax(np.array([np.nan, 1, 3, 3, np.nan]), nan="ignore")), (2, 2))

    def test_every_type_of_keys_and_of_elements(self):
        for of_keys, of_elements in zip(sample(TYPES, 1, 9), sample(TYPES, 2, 9)):
            with self.subTest(of_keys=of_keys, of_elements=of_elements):
                self.judge(numbers(of_keys, 200), numbers("d", 200))
                self.judge(numbers("i", 200), numbers(of_elements, 200))

    def test_every_operator(self):
        keys, x = RANDOM.integers(-3, 4, 300), numbers("d", 300)
        for op in sample([*NUMPYS], 1, 3):
            with self.subTest(op=op):
                self.judge(keys, x % 3 + 1 if op == "prod" else x, op)

    def test_keys_that_are_texts_dates_and_of_numbers_at_the_edges(self):
        x = numbers("l", 6)
        for keys in (["Berlin", "Aachen", "", "Berlin", "Å", "aachen"], [b"b", b"a", b"b", b"", b"c", b"a"],
                     np.array(["2024-01-02", "2023-05-01", "2024-01-02", "1969-01-01", "NaT", "NaT"], "M8[D]"),
                     np.array([2**64 - 1, 0, 2**64 - 2, 2**64 - 1, 2**63, 0], "u8"),
                     np.array([-1, -2**63, 2**63 - 1, -1, 0, 0], "i8")):
            keys = np.array(keys)
            with self.subTest(keys=keys.dtype):
                self.judge(keys, x)

    def test_all_nans_are_one_key_behind_infinity_and_zeros_of_both_signs_are_one(self):
        keys = np.array([np.nan, 1, np.inf, -0.0, np.nan, 0.0, -np.nan, -np.inf])
        found, sums, counts = jr.group_by(keys, np.arange(8.0), counts=True)
        np.testing.assert_array_equal(found, [-np.inf, 0, 1, np.inf, np.nan])
        self.assertEqual((sums.tolist(), counts.tolist()), ([7, 8, 1, 2, 10], [1, 2, 1, 1, 3]))
        self.assertTrue(np.signbit(found[1]))  # the key as the first of its group is written

    def test_keys_without_an_order_are_told(self):
        for keys in (np.array([1.0, np.nan, np.nan, 2, 1], object), np.array([(1, np.nan)] * 5, "i,f")):
            self.assertRaisesRegex(ValueError, "not equal to itself", lambda: jr.group_by(keys, np.ones(5)))
        self.judge(np.array(["b", "a", "", "a", "c"], object), np.arange(5.0))

    def test_one_key_one_element_and_none(self):
        self.judge(np.full(1000, 7, "i2"), numbers("f", 1000))
        self.judge(np.array([3]), np.array([2.5]))
        for op, kinds in (("sum", "d"), (("min", "argmax"), "dl")):
            keys, results, counts = jr.group_by(np.zeros(0, "i4"), np.zeros(0), op=op, counts=True)
            results = results if isinstance(results, tuple) else (results,)
            self.same(keys, np.zeros(0, "i4"))
            for result, kind in zip(results, kinds, strict=True):
                self.same(result, np.zeros(0, kind))
            self.same(counts, np.zeros(0, "u8"))

    def test_every_element_may_have_a_key_of_its_own(self):
        keys = RANDOM.permutation(5000)
        self.same(jr.group_by(keys, keys * 2.0)[1], np.arange(5000) * 2.0)

    def test_views_with_strides_are_taken_as_they_are(self):
        keys, x = RANDOM.integers(0, 5, (40, 3)), numbers("f", (3, 80))
        self.judge(keys[:, 1], x[1, ::2])
        self.judge(keys[::-1, 0], x.T[::-2, 2])

    def test_indices_are_of_the_whole_array(self):
        keys, x = RANDOM.integers(0, 7, 400), RANDOM.permutation(400)
        for op, function in (("argmin", np.argmin), ("argmax", np.argmax)):
            wanted = [np.flatnonzero(keys == key)[function(x[keys == key])] for key in np.unique(keys)]
            self.same(jr.group_by(keys, x, op=op)[1], np.array(wanted))
        _, (least, _, most) = jr.group_by(keys, x, op=("argmin", "sum", "argmax"))
        self.assertEqual((x[least].tolist(), x[most].tolist()),
                         ([x[keys == k].min() for k in range(7)], [x[keys == k].max() for k in range(7)]))

    def test_where_leaves_elements_out_of_results_and_counts(self):
        keys, x, mask = RANDOM.integers(0, 5, 300), numbers("d", 300), RANDOM.random(300) < 0.5
        for where, kept in ((mask, mask), ("x > 2", x > 2), (True, x == x)):
            _, sums, counts = jr.group_by(keys, x, where=where, counts=True)
            self.same(sums, np.array([x[(keys == k) & kept].sum() for k in range(5)]))
            np.testing.assert_array_equal(counts, [((keys == k) & kept).sum() for k in range(5)])
        self.assertRaises(jr.EmptyInputError, jr.group_by, keys, x, op="min", where=keys != 3)
        self.same(jr.group_by(keys, x, where=keys != 3)[1][3], np.float64(0))

    def test_i_counts_in_each_group(self):
        _, firsts = jr.group_by(np.array([2, 1, 2, 1]), np.array([5, 6, 7, 8]), where="i < 1")
        self.assertEqual(firsts.tolist(), [6, 5])

    def test_own_operators_several_arrays_and_exact_sums(self):
        keys, x, y = RANDOM.integers(0, 4, 200), numbers("d", 200), numbers("d", 200)
        products = [(x * y)[keys == k].sum() for k in range(4)]
        self.assertEqual(jr.group_by(keys, x, y, op="dot")[1].tolist(), products)
        self.assertEqual(jr.group_by(keys, x, y, op=jr.Reduction("sum", map="x * y"))[1].tolist(), products)
        widest = jr.Reduction(combine="fabs(a) > fabs(b) ? a : b", identity="0")
        self.assertEqual(abs(jr.group_by(keys, x, op=widest)[1]).tolist(), [abs(x[keys == k]).max() for k in range(4)])
        scaled = jr.Reduction(("sum",), map="x * q", parameters={"q": 1})
        _, (sums,) = jr.group_by(keys, x, op=scaled, parameters={"q": 3})
        self.assertEqual(sums.tolist(), [3 * x[keys == k].sum() for k in range(4)])
        wide = np.array([1e308, 3.0, 1e308, 1, -1e308, -1e308])
        self.assertEqual(jr.group_by([1, 1, 1, 0, 1, 1], wide, exact=True)[1].tolist(), [1, 3])

    def test_what_is_no_array_of_numpys_becomes_one(self):
        keys, sums = jr.group_by(["b", "a", "b"], array.array("i", [1, 2, 4]))
        self.assertEqual((keys.tolist(), sums.tolist()), (["a", "b"], [2, 5]))

    def test_device_memory_is_sorted_by_its_library(self):
        kept = []

        class Sorted(OwnArray):
            """Of a library that sorts, and takes elements by their numbers."""

            def argsort(self, **options):
                kept.append(options)
                return Sorted(np.argsort(self.numpy(), kind="stable"))

            def __getitem__(self, at):
                return Sorted(self.numpy()[at.numpy()])

            def __add__(self, number):
                return Sorted(self.numpy() + number)

            def __sub__(self, number):
                return Sorted(self.numpy() - number)

            def __ge__(self, number):
                return Sorted(self.numpy() >= number)

            def __mul__(self, other):
                return Sorted(self.numpy() * other.numpy())

        keys, x = RANDOM.integers(0, 7, 60), RANDOM.integers(-50, 50, 60).astype("f4")
        mask = keys != 3
        for op in sample(("sum", "argmax", "max", "mean"), 1, 2):
            for _ in range(2):
                theirs = jr.group_by(keys, x, op=op, counts=True, unroll=1)
                for one, other in zip(jr.group_by(Sorted(keys), Sorted(x), op=op, counts=True, unroll=1), theirs):
                    np.testing.assert_array_equal(one.numpy(), other)
        self.assertEqual(kept[0], {"stable": True})
        _, (least, place) = jr.group_by(Sorted(keys), Sorted(x), op=("min", "argmin"), unroll=1)
        np.testing.assert_array_equal(least.numpy(), x[place.numpy()])
        found, places, counts = jr.group_by(Sorted(keys), Sorted(x), op="argmax", where=Sorted(mask), counts=True, unroll=1)
        self.assertEqual(places.numpy()[found.numpy() == 3].tolist() + counts.numpy()[found.numpy() == 3].tolist(), [-1, 0])
        scaled = jr.Reduction("sum", map="x * q", parameters={"q": 2})
        np.testing.assert_array_equal(jr.group_by(Sorted(keys), Sorted(x), op=scaled, unroll=1)[1].numpy(), 2 * np.array([x[keys == k].sum() for k in range(7)]))
        self.assertRaisesRegex(ValueError, "i counts within each group", lambda: jr.group_by(Sorted(keys), Sorted(x), where="i < 2"))

    def test_wrong_arguments_are_told(self):
        x = np.zeros(3)
        for wrong, words in (((np.zeros(4), x), r"\(4,\).*\(3,\)"), ((np.zeros((3, 1)), x), "one dimension"),
                             ((x, np.zeros((3, 2))), "one dimension")):
            self.assertRaisesRegex(ValueError, words, jr.group_by, *wrong)
        self.assertRaisesRegex(TypeError, "not 0", jr.group_by, x)
        self.assertRaisesRegex(TypeError, "not 5", lambda: jr.group_by(*[x] * 6))
        self.assertRaisesRegex(ValueError, "where has shape", lambda: jr.group_by(x, x, where=np.ones(2, bool)))
        self.assertRaisesRegex(ValueError, "value=True", jr.group_by, x, x, value=True)
        self.assertRaisesRegex(ValueError, "device memory.*reduce_by_key", lambda: jr.group_by(x, jr.DeviceArray.of(x)))
        with mock.patch.dict("sys.modules", numpy=None), self.assertRaises(ImportError):
            jr.group_by(x, x)


def flattened(results):
    """Arrays of results that may be tuples of them."""
    return [one for result in results for one in (result if isinstance(result, tuple) else (result,))]


class Runs(Judged):
    """reduce_by_key, of host memory and of device memory."""

    def judge(self, keys, x, op="sum", **options):
        """The runs that NumPy finds, of arrays in both memories."""
        begins = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        wanted = np.array([NUMPYS[op](part) for part in np.split(x, begins[1:])])
        counts = np.diff(np.append(begins, len(keys)))
        found = jr.reduce_by_key(keys, x, op=op, counts=True, **options)
        self.same(found[0], keys[begins])
        self.same(found[1], wanted, close=op in ("mean", "std"))
        np.testing.assert_array_equal(found[2], counts)
        there = jr.reduce_by_key(jr.DeviceArray.of(keys), jr.DeviceArray.of(x), op=op, counts=True, **options)
        self.assertEqual({type(one) for one in there}, {jr.DeviceArray})
        for ours, theirs in zip(there, found):
            self.same(ours.numpy(), theirs, close=op in ("mean", "std"))

    def test_every_type_of_keys_and_of_elements(self):
        for of_keys, of_elements in zip(sample(TYPES, 3, 9), sample(TYPES, 4, 9)):
            with self.subTest(of_keys=of_keys, of_elements=of_elements):
                self.judge(np.sort(numbers(of_keys, 100)), numbers("d", 100), unroll=1)
                self.judge(np.sort(numbers("i", 100)), numbers(of_elements, 100), unroll=1)

    def test_runs_apart_are_apart_and_every_nan_is_one_of_its_own(self):
        self.judge(np.array([3, 3, 1, 3, 3, 3, 2]), numbers("d", 7), unroll=1)
        self.judge(np.array([np.nan, np.nan, 1, -0.0, 0.0, np.nan]), numbers("d", 6), unroll=1)
        self.judge(np.repeat(RANDOM.permutation(300), RANDOM.integers(1, 40, 300)).astype("i4")[:4000], numbers("l", 4000), "max", unroll=1)

    def test_one_run_and_no_elements(self):
        self.judge(np.zeros(3000, "u1"), numbers("f", 3000), unroll=1)
        for make, read in ((np.asarray, np.asarray), (jr.DeviceArray.of, jr.DeviceArray.numpy)):
            keys, (sums, most) = jr.reduce_by_key(make(np.zeros(0, "i2")), make(np.zeros(0, "i4")), op=("sum", "max"))
            keys, sums, most = map(read, (keys, sums, most))
            self.same(keys, np.zeros(0, "i2"))
            self.same(sums, np.zeros(0, "i8"))
            self.same(most, np.zeros(0, "i4"))

    def test_indices_are_of_the_whole_array(self):
        keys, x = np.sort(RANDOM.integers(0, 7, 200)), RANDOM.permutation(200)
        wanted = [np.flatnonzero(keys == key)[np.argmax(x[keys == key])] for key in range(7)]
        self.same(jr.reduce_by_key(keys, x, op="argmax", unroll=1)[1], np.array(wanted))
        self.same(jr.reduce_by_key(jr.DeviceArray.of(keys), jr.DeviceArray.of(x), op="argmax", unroll=1)[1].numpy(), np.array(wanted))

    def test_several_arrays_where_and_a_stream(self):
        keys, x, y = np.sort(RANDOM.integers(0, 4, 150)), numbers("d", 150), numbers("d", 150)
        mask = RANDOM.random(150) < 0.6
        wanted = np.array([(x * y)[(keys == k) & mask].sum() for k in range(4)])
        self.same(jr.reduce_by_key(keys, x, y, op="dot", where=mask, unroll=1)[1], wanted)
        stream, there = jr.Stream(), map(jr.DeviceArray.of, (keys, x, y))
        found = jr.reduce_by_key(*there, op="dot", where=jr.DeviceArray.of(mask), stream=stream, unroll=1)
        self.same(found[1].numpy(), wanted)

    def test_every_way_to_tell_of_device_memory(self):
        keys, x = np.array([4, 4, 7, 7, 7, -1], "i4"), numbers("f", 6)
        for kind in ALL:
            for op in ("sum", ("sum",)):
                with self.subTest(kind=kind.__name__, op=op):
                    found, sums = jr.reduce_by_key(made(kind, keys), made(kind, x), op=op)
                    sums = sums if isinstance(op, str) else sums[0]
                    self.assertIs(type(sums), RESULTS.get(kind, jr.DeviceArray))
                    self.assertEqual(type(found), type(sums))
                    self.same(found.numpy(), np.array([4, 7, -1], "i4"))
                    self.same(sums.numpy(), np.array([x[:2].sum(), x[2:5].sum(), x[5]]))

    def test_without_a_wait_results_are_as_long_as_keys_and_the_last_one_is_their_number(self):
        keys, x = np.array([4, 4, 7, 7, 7, -1], "i4"), numbers("f", 6)
        for kind in ALL:
            there = made(kind, keys), made(kind, x)
            for options in ({}, {"op": ("sum", "max")}, {"counts": True}, {"op": ("min", "argmax"), "counts": True}):
                with self.subTest(kind=kind.__name__, options=options):
                    wanted, found = jr.reduce_by_key(*there, **options), jr.reduce_by_key(*there, wait=False, **options)
                    self.same(found[-1].numpy(), np.array(3))
                    self.assertEqual(type(found[-1]), type(wanted[0]))
                    for one, right in zip(flattened(found[:-1]), flattened(wanted), strict=True):
                        self.assertEqual((type(one), one.shape), (type(right), (6,)))
                        self.same(one.numpy()[:3], right.numpy())
        self.assertEqual(int(jr.reduce_by_key(*(jr.DeviceArray.of(one[:0]) for one in (keys, x)), wait=False)[-1].numpy()), 0)

    def test_without_a_wait_the_run_may_be_captured(self):
        keys, x, stream = jr.DeviceArray.of(np.array([1, 1, 2, 2, 2])), jr.DeviceArray.of(np.arange(5.0)), jr.Stream()
        jr.reduce_by_key(keys, x, wait=False, stream=stream)
        with stream.capture() as graph:
            found, sums, number = jr.reduce_by_key(keys, x, wait=False, stream=stream)
        x.write(np.ones(5))
        graph.launch(stream)
        stream.wait()
        self.assertEqual((found.numpy()[:2].tolist(), sums.numpy()[:2].tolist(), int(number.numpy())), ([1, 2], [2, 3], 2))

    def test_a_call_that_need_not_wait_is_of_device_memory(self):
        x = np.zeros(4)
        self.assertRaisesRegex(ValueError, "wait=False: .*device memory", lambda: jr.reduce_by_key(x, x, wait=False))
        self.assertRaisesRegex(TypeError, "wait='no' is a text", lambda: jr.reduce_by_key(x, x, wait="no"))
        self.assertRaisesRegex(TypeError, "wait", lambda: jr.group_by(x, x, wait=False))

    def test_without_numpys_arrays_results_are_memoryviews(self):
        keys, sums = jr.reduce_by_key(array.array("b", [1, 1, 2]), array.array("d", [1, 2, 4]))
        self.assertEqual((keys.tolist(), sums.tolist(), keys.format, sums.format), ([1, 2], [3, 4], "b", "d"))

    def test_wrong_arguments_are_told(self):
        x = np.zeros(4)
        self.assertRaisesRegex(ValueError, "one key per element", lambda: jr.reduce_by_key(np.zeros(3), x))
        self.assertRaisesRegex(ValueError, "one dimension", lambda: jr.reduce_by_key(np.zeros((2, 2)), np.zeros((2, 2))))
        self.assertRaisesRegex(TypeError, "keys: elements of", lambda: jr.reduce_by_key(np.array(["a"] * 4), x))
        self.assertRaisesRegex(ValueError, "x is in device memory, keys in host memory", lambda: jr.reduce_by_key(x, jr.DeviceArray.of(x)))
        self.assertRaisesRegex(ValueError, "x is in host memory, keys in device memory", lambda: jr.reduce_by_key(jr.DeviceArray.of(x), x))
