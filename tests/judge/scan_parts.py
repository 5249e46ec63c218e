"""Scans of host data in parts, with less device memory than they take, held against NumPy and plain loops."""

import numpy as np

import scans
from jitreduce import Structure

# Tiles are small, so that little data has many parts.
SMALL_TILES = {"block": 64, "unroll": 1}
# Slabs, rows of one, columns of a row: with the bytes of device memory that lead to them.
COLUMNS = [((50, 40, 9), 12000), ((2, 3000, 7), 30000), ((3, 11, 2500), 24000)]


def judge_numbers(library, score, count):
    """Sums of i64 with places in the segment, in every way that segments lie; NumPy adds."""
    x = np.random.default_rng(21).integers(-9, 10, count)
    for exclusive in (False, True):
        for name, told, starts in scans.ways(count):
            begins = np.concatenate([[0], starts])
            i = np.arange(count) - (0 if name == "keys" else np.repeat(begins, np.diff([*begins, count])))
            sums = np.concatenate([np.add.accumulate(piece) for piece in np.split(x * 3 + i, starts)])
            wanted = sums - (x * 3 + i if exclusive else 0)
            got = library.scan_segments("sum", "i64", x, exclusive, map="x * 3 + i", device_bytes=40000, **told,
                                        **SMALL_TILES)
            score.note(f"scan in parts, {name}, exclusive {exclusive}", (got == wanted).all(),
                       f"got {got}, NumPy has {wanted}")
        for shape, limit in COLUMNS:
            x3 = np.resize(x, shape)
            terms = x3 * 3 + np.arange(shape[1])[:, None]
            wanted = np.add.accumulate(terms, 1) - (terms if exclusive else 0)
            got = library.scan_axis("sum", "i64", x3, 1, exclusive, map="x * 3 + i", device_bytes=limit)
            score.note(f"scan in parts, columns of {shape}, exclusive {exclusive}", (got == wanted).all(),
                       f"got {got}, NumPy has {wanted}")


def judge_structs(library, score, count):
    """A struct of a program's own whose operator does not commute; a loop combines."""
    _, combine, identity, one, x, python = scans.ordered_rows(np.random.default_rng(22), count)["affine"]
    x = x.astype("u4")
    structure = Structure(name=b"affine", source=scans.AFFINE.encode(), bytes=4 * len(one), alignment=4)
    more = {"structure": structure, "combine": combine, "identity": identity}
    for exclusive, (way, told, starts) in zip((False, True, False), scans.ways(count)):
        wanted = scans.loop(x, starts, python, one, exclusive)
        got = library.scan_segments("custom", "struct", x, exclusive, device_bytes=40000, **told, **more, **SMALL_TILES)
        score.note(f"scan of structs in parts, {way}, exclusive {exclusive}", (got == wanted).all(),
                   f"got {got}, a loop has {wanted}")
    for inner, limit in ((3, 30000), (count // 2, 30000)):
        length = count // inner
        lines = np.moveaxis(x[:length * inner].reshape(length, inner, 2), 0, 1).reshape(-1, 2)
        wanted = scans.loop(lines, np.arange(length, length * inner, length), python, one, True)
        wanted = np.moveaxis(wanted.reshape(inner, length, 2), 0, 1).reshape(-1, 2)
        got = library.scan_axis("custom", "struct", np.ascontiguousarray(x[:length * inner]), 0, True,
                                shape=(length, inner), device_bytes=limit, **more)
        score.note(f"scan of structs in parts, {inner} columns", (got == wanted).all(),
                   f"got {got}, a loop has {wanted}")


def judge_parts(library, score, full):
    """Both; in full of more."""
    judge_numbers(library, score, 36 * 5501 if full else 36 * 501)
    judge_structs(library, score, 108 * 701 if full else 108 * 101)
