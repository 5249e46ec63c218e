"""What people have in hand: columns of tables of four libraries, masked arrays, lists and numbers, held against NumPy. A null
counts nowhere."""

import array
import ctypes
import importlib.util
import subprocess
import sys
import unittest

import numpy as np

import jitreduce as jr
from test_reductions import Judged

NUMBERS = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0]
KEPT = [True, True, False, True, True, False]
BELOW = 1e9  # the value under a null, where there is one


def needs(*names):
    """Skips a class of tests where a package is missing."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"{' and '.join(missing)} not installed: make deps installs them into .deps/tables")


class Columns(Judged):
    """A column without nulls is the array that it holds, and one with nulls that of `where`."""

    def judge(self, whole, holed, kind="f8"):
        """whole: NUMBERS; holed: the same with nulls where KEPT is false."""
        x, kept = np.array(NUMBERS, kind), np.array(KEPT)
        for name in ("sum", "max", "mean", "argmin", "any"):
            self.same(getattr(jr, name)(whole), getattr(np, name)(x))
        for name in ("sum", "min", "max", "mean"):
            theirs = getattr(np, name)(x, where=kept, **({"initial": x[kept].max()} if name == "min" else {"initial": 0} if name == "max" else {}))
            self.same(getattr(jr, name)(holed), theirs, name)
        self.same(jr.argmax(holed), np.int64(4))
        self.same(jr.sum(holed, where="x > q", parameters={"q": 1}), x[kept & (x > 1)].sum())
        self.same(jr.sum(holed, where=x > 1), x[kept & (x > 1)].sum())
        self.same(jr.var(holed, correction=1), np.var(x[kept], ddof=1), close=True)
        self.same(jr.dot(holed, whole), np.float64((x * x)[kept].sum()))
        self.same(jr.dot(whole, holed), np.float64((x * x)[kept].sum()))
        self.same(jr.cumulative_sum(whole), np.cumsum(x))
        self.same(jr.reduce(holed, ("min", "argmax"))[1], np.int64(4))
        self.same(jr.group_by([1, 2, 1, 2, 1, 2], holed)[1], np.array([8, 2], x.dtype))
        self.same(jr.group_by([1, 2, 1, 2, 1, 2], holed, op="argmax")[1], np.array([4, 1]))
        self.same(jr.reduce_by_key(np.array([1, 1, 2, 2, 3, 3]), holed, counts=True)[2], np.array([2, 1, 1], "u8"))
        self.same(jr.cumulative_sum(holed), np.cumsum(np.where(kept, x, 0)))
        for refused in (lambda: jr.DeviceArray.of(holed), lambda: jr.ExactState().add(holed), lambda: jr.reduce_by_key(holed, whole)):
            self.assertRaisesRegex(ValueError, "has nulls, and this call leaves no elements out: fill or drop them", refused)
        self.same(jr.DeviceArray.of(whole).numpy(), x)


class Plain(Columns):
    """What needs no other package."""

    def test_masked_arrays(self):
        below = np.where(KEPT, NUMBERS, BELOW)
        self.judge(np.ma.masked_array(NUMBERS), np.ma.masked_array(below, np.logical_not(KEPT)))
        rows = np.ma.masked_array(below.reshape(2, 3), np.logical_not(KEPT).reshape(2, 3))
        self.same(jr.sum(rows, axis=0), np.array([4.0, 6, 0]))
        self.same(jr.sum(rows, axis=1), np.asarray(rows.sum(axis=1)))
        self.same(jr.sum(rows.T, axis=1), np.array([4.0, 6, 0]))

    def test_lists_tuples_ranges_and_numbers(self):
        for x in (NUMBERS, tuple(NUMBERS), [[3, 1], [4, 1]], range(7), [True, False], [], [np.float32(2), np.float32(3)], 3, 2.5, True):
            self.same(jr.sum(x), np.sum(x))
        self.same(jr.max([[3, 1], [4, 1]], axis=1), np.array([3, 4]))
        self.same(jr.sum([1, 2, 3], where=[True, False, True]), np.int64(4))
        self.assertEqual(jr.sum(array.array("d", [1, 2]), where=[True, False]), 1.0)
        for x, words in (([[1, 2], [3]], "inhomogeneous"), (["a"], "texts can be the keys"), ([None], r"astype\('float64'\)"), ({"a": 1}, "pass an array of numbers"), ({1, 2}, "numpy.fromiter")):
            self.assertRaisesRegex(TypeError, words, jr.sum, x)
        self.assertRaisesRegex(TypeError, "an array that exists", jr.sum, NUMBERS, out=[0.0])

    def test_what_numpy_makes_an_array_of(self):
        class Thing:
            """It has NumPy's own protocol alone."""

            def __array__(self, dtype=None, copy=None):
                return np.array(NUMBERS, dtype)

        self.same(jr.max(Thing()), np.float64(9))

    def test_an_expression_does_not_see_the_nulls(self):
        holed = np.ma.masked_array(NUMBERS, np.logical_not(KEPT))
        for call in (lambda: jr.sum(holed, where="x > y"), lambda: jr.Reduction("sum", map="x * y")(holed), lambda: jr.Reduction("sum", map="x * y")(np.array(NUMBERS), where=KEPT)):
            self.assertRaises(jr.InvalidExpressionError, call)
        self.same(jr.Reduction("sum", map="x * x", where="x > 1")(holed), np.float64(34))

    def test_lists_need_no_numpy(self):
        program = """import sys
sys.modules["numpy"] = None
import jitreduce as jr
print(jr.sum([1, 2, 3]), jr.max([1.5, 2]), jr.mean(range(4)), jr.sum(3), jr.sum([1, 2, 4], where="x > 1"), jr.scan([3, 1, 4], op="max").tolist(),
      jr.reduce_segments((1, 2, 3), [0, 2, 3]).tolist(), jr.cov([1, 2, 3.0], [1, 5, 6.0]), jr.ptp([3, 1]), jr.average([3, 1, 4], weights=[1, 0, 3]))"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        self.assertEqual((done.stdout, done.stderr), ("6 2.0 1.5 3 6 [3, 3, 4] [3, 3] ((1.0, 2.5), (2.5, 7.0)) 2 3.75\n", ""))

    def test_columns_of_nulls_alone_are_empty(self):
        nothing = np.ma.masked_all(3)
        self.same(jr.sum(nothing), np.float64(0))
        self.assertRaisesRegex(jr.EmptyInputError, "of no elements", jr.max, nothing)


@needs("pandas")
class Pandas(Columns):
    """Series of all kinds of types."""

    def test_series_of_numpys_types(self):
        import pandas as pd  # pylint: disable=import-outside-toplevel,import-error

        x = pd.Series(NUMBERS)
        self.judge(x, np.ma.masked_array(NUMBERS, np.logical_not(KEPT)))
        self.same(jr.sum(pd.Index([3, 4])), np.int64(7))
        self.same(jr.sum(pd.Series([1, 2, 3, 4])[::2]), np.int64(4))
        self.assertTrue(np.isnan(jr.sum(pd.Series([1.0, np.nan]))))  # a NaN is a number, and no null
        self.same(jr.sum(pd.Series([1.0, np.nan]), nan="ignore"), np.float64(1))

    def test_series_with_nulls(self):
        import pandas as pd  # pylint: disable=import-outside-toplevel,import-error

        holed = [x if kept else pd.NA for x, kept in zip(NUMBERS, KEPT)]
        self.judge(pd.Series(NUMBERS, dtype="Float64"), pd.Series(holed, dtype="Float64"))
        self.same(jr.sum(pd.Series([1, None, 3], dtype="Int64")), np.int64(4))
        self.same(jr.max(pd.Series([1, None, 3], dtype="UInt8")), np.uint8(3))
        self.same(jr.any(pd.Series([False, None, False], dtype="boolean")), np.False_)
        self.same(jr.sum(np.array([1, 2, 4]), where=pd.Series([True, None, True], dtype="boolean")), np.int64(5))

    def test_groups_and_aggregations_are_pandas_own(self):
        import pandas as pd  # pylint: disable=import-outside-toplevel,import-error

        table = pd.DataFrame({"k": ["b", "a", "b", "a"], "x": [1.0, 2, 3, 5], "n": [1, 2, 3, 4]})
        for name in ("sum", "max", "mean"):
            pd.testing.assert_frame_equal(table.groupby("k").agg(getattr(jr, name)), table.groupby("k").agg(name))
            pd.testing.assert_series_equal(table.groupby("k")["x"].agg(getattr(jr, name)), table.groupby("k")["x"].agg(name))
            self.assertEqual(table["x"].agg(getattr(jr, name)), table["x"].agg(name))
        pd.testing.assert_series_equal(table[["x", "n"]].agg(jr.sum), table[["x", "n"]].agg("sum"))
        pd.testing.assert_series_equal(table[["x", "n"]].apply(jr.max), table[["x", "n"]].max())
        keys, sums = jr.group_by(table["k"], table["x"])
        self.assertEqual((list(keys), sums.tolist()), (["a", "b"], [7, 4]))

    def test_null_keys_have_no_group(self):
        import pandas as pd  # pylint: disable=import-outside-toplevel,import-error

        for keys in (pd.Series(["b", None, "b", "a"]), pd.Series([2, None, 2, 1], dtype="Int64"), pd.Series(["b", None, "b", "a"], dtype=object)):
            found, most, counts = jr.group_by(keys, np.array([1.0, 9, 3, 5]), op="argmax", counts=True)
            self.assertEqual((list(found), most.tolist(), counts.tolist()), (sorted(set(keys.dropna())), [3, 2], [1, 2]))

    def test_keys_of_runs_are_numpys_and_nan_of_an_array_is_a_number(self):
        import pandas as pd  # pylint: disable=import-outside-toplevel,import-error

        keys, sums = jr.reduce_by_key(pd.Series([7, 7, 8]), pd.Series([1.0, 2, 3]))
        self.same(keys, np.array([7, 8]))
        self.same(sums, np.array([3.0, 3]))
        self.assertTrue(np.isnan(jr.sum(pd.Series([1.0, np.nan]).array)))
        self.assertEqual(jr.sum(pd.Series([1.0, None], dtype="Float64").array), 1)

    def test_tables_are_refused_with_a_column(self):
        import pandas as pd  # pylint: disable=import-outside-toplevel,import-error

        self.assertRaisesRegex(TypeError, r"x, of DataFrame, is a table: give one column, x\['price'\]", lambda: jr.sum(pd.DataFrame({"price": [1.0]})))
        for series in (pd.Series(["a"]), pd.Series(["a"], dtype="category")):
            self.assertRaisesRegex(TypeError, "cannot be reduced", jr.sum, series)
        self.assertRaisesRegex(TypeError, "dates or times", lambda: jr.max(pd.Series(pd.to_datetime(["2024-01-01"]))))


@needs("pandas", "pyarrow")
class PandasOfArrow(Columns):
    """Series that hold Arrow's arrays."""

    def test_series(self):
        import pandas as pd  # pylint: disable=import-outside-toplevel,import-error

        holed = [x if kept else None for x, kept in zip(NUMBERS, KEPT)]
        self.judge(pd.Series(NUMBERS, dtype="double[pyarrow]"), pd.Series(holed, dtype="double[pyarrow]"))
        self.same(jr.sum(pd.Series([1, None, 3], dtype="int32[pyarrow]")), np.int64(4))


@needs("polars")
class Polars(Columns):
    """Series of polars."""

    def test_series(self):
        import polars as pl  # pylint: disable=import-outside-toplevel,import-error

        holed = pl.Series([x if kept else None for x, kept in zip(NUMBERS, KEPT)])
        self.judge(pl.Series(NUMBERS), holed)
        self.judge(pl.Series(NUMBERS[:3]).append(pl.Series(NUMBERS[3:])), pl.concat([holed[:2], holed[2:]], rechunk=False))
        self.judge(pl.Series([0.0, *NUMBERS])[1:], pl.concat([pl.Series([None, None], dtype=pl.Float64), holed], rechunk=True)[2:])
        self.same(jr.max(pl.Series([1, None, 3], dtype=pl.UInt8)), np.uint8(3))
        self.same(jr.sum(pl.Series([True, None, True] * 5)), np.int64(10))
        self.same(jr.sum(np.array([1, 2, 4]), where=pl.Series([True, None, True])), np.int64(5))
        self.same(jr.sum(pl.Series([], dtype=pl.Int32)), np.int64(0))
        found, most = jr.group_by(pl.Series(["b", None, "b", "a"]), np.array([1.0, 9, 3, 5]), op="argmax")
        self.assertEqual((list(found), most.tolist()), (["a", "b"], [3, 2]))
        for series, words in ((pl.Series(["a"]), "are texts"), (pl.DataFrame({"price": [1]}), r"give one column, x\['price'\]"), (pl.Series([[1]]), "are lists")):
            self.assertRaisesRegex(TypeError, words, jr.sum, series)


@needs("pyarrow")
class Arrow(Columns):
    """Arrays and chunked arrays of Arrow."""

    def test_arrays_and_chunks(self):
        import pyarrow as pa  # pylint: disable=import-outside-toplevel,import-error

        holed = pa.array([x if kept else None for x, kept in zip(NUMBERS, KEPT)])
        self.judge(pa.array(NUMBERS), holed)
        self.judge(pa.chunked_array([NUMBERS[:3], [], NUMBERS[3:]]), pa.chunked_array([holed[:2], holed[2:4], holed[4:]]))
        self.judge(pa.array([7.0, *NUMBERS])[1:], pa.concat_arrays([pa.array([7.0, None]), holed])[2:])
        for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"):
            self.same(jr.max(pa.array(np.array([1, 3, 2], kind))), np.dtype(kind).type(3))
        self.same(jr.sum(pa.array([True, None, True] * 5)), np.int64(10))
        self.same(jr.sum(pa.array([True, None, True] * 5)[7:]), np.int64(5))
        self.assertRaisesRegex(TypeError, r"x\.as_py\(\) is the number", jr.sum, pa.scalar(3))
        self.same(jr.sum(pa.chunked_array([], pa.float64())), np.float64(0))
        for column, words in ((pa.array(["a"]), "are texts"), (pa.array([1], pa.date32()), "are dates or times"), (pa.array(["a"]).dictionary_encode(), "are categories"),
                              (pa.table({"price": [1]}), r"give one column, x\['price'\]"), (pa.array([None]), "are nulls alone")):
            self.assertRaisesRegex(TypeError, words, jr.sum, column)

    def test_only_the_interface_is_needed(self):
        import pyarrow as pa  # pylint: disable=import-outside-toplevel,import-error

        x = pa.array([1.0, None, 3.0])
        self.same(jr.sum(type("One", (), {"__arrow_c_array__": lambda self: x.__arrow_c_array__()})()), np.float64(4))
        stream = type("Many", (), {"__arrow_c_stream__": lambda self: pa.chunked_array([x, x]).__arrow_c_stream__()})
        self.same(jr.sum(stream()), np.float64(8))


class Interface(unittest.TestCase):
    """Arrow's interface without any package: structs that a test makes itself, also wrong ones."""

    FIELDS = {"schema": (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
              "array": (*[ctypes.c_int64] * 5, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)}

    def made(self, kind, *values):
        """(a struct, its capsule)."""
        struct = type(kind, (ctypes.Structure,), {"_fields_": [(f"f{at}", one) for at, one in enumerate(self.FIELDS[kind])]})(*values)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        name = ctypes.create_string_buffer(f"arrow_{kind}".encode())
        self.kept = (*getattr(self, "kept", ()), struct, name)  # as long as the capsules
        return new(ctypes.addressof(struct), ctypes.cast(name, ctypes.c_char_p), None)

    def column(self, form=b"i", length=5, nulls=-1, offset=1, count=2, bits=0b101101, numbers=(9, 1, 2, 3, 4, 5), release=1):
        """An object with the interface; its nulls are where bits are 0."""
        memory = (ctypes.c_int32 * 6)(*numbers) if numbers else None
        valid = (ctypes.c_ubyte * 1)(bits) if bits is not None else None
        buffers = (ctypes.c_void_p * 2)(valid and ctypes.addressof(valid), memory and ctypes.addressof(memory))
        self.kept = (*getattr(self, "kept", ()), memory, valid, buffers)
        capsules = (self.made("schema", form, None, None, 2, 0, None, None, release, None),
                    self.made("array", length, nulls, offset, count, 0, ctypes.addressof(buffers), None, None, release, None))
        return type("Column", (), {"__arrow_c_array__": lambda self: capsules})()

    def test_numbers_and_nulls_are_read_where_they_lie(self):
        self.assertEqual(jr.sum(self.column()), 2 + 3 + 5)  # bits 2, 3 and 5 of those from 1 on
        self.assertEqual(jr.sum(self.column(bits=None)), 15)
        self.assertEqual(jr.sum(self.column(length=0, numbers=None)), 0)

    def test_wrong_structs_are_refused(self):
        for wrong, words in (({"release": None}, "used already"), ({"length": -1}, "negative"), ({"offset": -1}, "negative"), ({"count": 3}, "two buffers"), ({"numbers": None}, "no memory"),
                             ({"bits": None, "nulls": 2}, "has nulls, and does not say where"), ({"form": b"tdD"}, "dates"), ({"form": None}, "schema was used"), ({"form": b""}, "another type")):
            self.assertRaisesRegex(TypeError, words, lambda: jr.sum(self.column(**wrong)))


@needs("xarray")
class Xarray(Judged):
    """Arrays with names of dimensions."""

    def test_arrays_and_their_own_reductions(self):
        import xarray as xr  # pylint: disable=import-outside-toplevel,import-error

        x = np.arange(12.0).reshape(3, 4)
        named = xr.DataArray(x, dims=("t", "s"), coords={"t": [1, 2, 3]})
        self.same(jr.sum(named), np.sum(x))
        self.same(jr.max(named, axis=1), np.max(x, axis=1))
        for dims, axis in (("t", 0), ("s", 1), (("t", "s"), (0, 1)), (None, None)):
            for name in ("sum", "max", "mean", "std"):
                found = named.reduce(getattr(jr, name), dim=dims)
                np.testing.assert_allclose(found.values, getattr(np, name)(x, axis=axis))
                self.assertEqual(found.dims, named.reduce(getattr(np, name), dim=dims).dims)
        self.same(named.reduce(jr.argmax, dim="t").values, x.argmax(axis=0))
        self.same(named.groupby("t").reduce(jr.sum, dim="s").values, x.sum(axis=1))
        self.assertRaisesRegex(TypeError, r"a table: give one column, x\['a'\]", lambda: jr.sum(xr.Dataset({"a": named})))
