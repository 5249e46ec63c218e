"""Scans held against NumPy: of all elements, along axes, of ragged segments, by keys; each segment for itself."""

import itertools

import numpy as np

import accumulate
import data
import oracle
from jitreduce import DTYPES, FLOATS, TYPES, Structure, numbers
from shapes import MATRIX, PRIME, axis_data

AFFINE = """
struct affine { unsigned m, c; };
__device__ affine same() { return {1, 0}; }
__device__ affine then(const affine &l, const affine &r) {
    return {l.m * r.m, l.c * r.m + r.c};
}
"""
SHAPES = [(1000,), (33, 64), (5, 7, 129), (3, 1, 4, 17), (2, 3, 1, 4, 33), (2, 1, 3, 2, 5, 7)]
MORE_SHAPES = [(1, 300, 1), (600, 4), (2, 3000), (8, 1, 9, 40), (3, 2, 2, 3, 2, 15), (7, 1, 1, 1, 1, 9),
               (1, 1, 1, 1, 1, 1), (3, 1025), (1025, 3), (4, 0, 3), (0,)]
# Pairs of operator and type, exclusive or not, and the type of keys: each row is a kernel for every way segments lie.
CHECKED = [("sum", "i32", False, "f32"), ("sum", "u8", True, "i8"), ("max", "f16", False, "bool"),
           ("argmin", "f32", False, "u64"), ("mean", "i64", True, "e4m3"), ("xor", "u16", False, "bf16"),
           ("sum", "f64", True, "i16")]


def takes(op, kind, exclusive):
    """Is there such a scan?"""
    if not oracle.takes(op, kind) or (op == "logsumexp" and kind == "bool"):
        return False
    return not exclusive or op not in accumulate.FIRST


def initial_of(library, op, kind, exclusive):
    """min and max need an initial value where nothing stands before an element: (for the spec, for NumPy)."""
    if op not in ("min", "max") or not exclusive:
        return {}, None
    raw = data.as_kind(kind, np.array([1.0])) if kind in FLOATS else np.array([1], DTYPES[kind])
    return {"initial": library.initial(kind, raw[0])}, numbers(kind, raw)[0]


def judge_flat(library, score, full):
    """All elements, in every case of data; types that NumPy has not, too."""
    ops, kinds = (accumulate.OPS, TYPES) if full else (("sum", "prod", "max", "xor"), ("i8", "u32", "f16", "f64"))
    for op, kind in itertools.product(ops, kinds):
        if not takes(op, kind, False) or (op == "prod" and kind in FLOATS):
            continue
        if not full and not data.is_whole() and (ops.index(op) + kinds.index(kind)) % 4:
            continue
        rng = np.random.default_rng(9)
        for name, x in data.cases(op, kind, (1, 1000, 300007 if full else 20011), rng):
            for exclusive in (False, True):
                if takes(op, kind, exclusive):
                    judge_one(library, score, op, kind, name, x, exclusive)


def judge_one(library, score, op, kind, name, x, exclusive):
    """One array, one way."""
    more, initial = initial_of(library, op, kind, exclusive)
    wanted, slack = accumulate.scanned(op, kind, numbers(kind, x), exclusive, initial)
    got = library.scan(op, kind, x, exclusive, **more)
    score.note(f"scan {op} {kind} {name} exclusive {exclusive}", accumulate.same(got, wanted, slack),
               f"got {got}, NumPy has {wanted}")


def judge_axes(library, score, full, op, kind, exclusive):
    """Every axis of arrays of up to six dimensions, sizes of 1 among them."""
    rng, more = np.random.default_rng(11), initial_of(library, op, kind, exclusive)
    for shape in SHAPES + MORE_SHAPES if full else SHAPES:
        count = int(np.prod(shape))
        x = axis_data(op, kind, max(1, count), rng)[:count].reshape(shape)
        for axis in range(x.ndim):
            line = np.moveaxis(numbers(kind, x), axis, -1)
            wanted, slack = accumulate.scanned(op, kind, line, exclusive, more[1])
            got = np.moveaxis(library.scan_axis(op, kind, x, axis - x.ndim * (axis % 2), exclusive, **more[0]), axis, -1)
            score.note(f"scan {op} {kind} axis {axis} of {shape} exclusive {exclusive}",
                       accumulate.same(got, wanted, slack), f"got {got}, NumPy has {wanted}")


def in_pieces(op, kind, x, starts, exclusive, initial):
    """Values and slack, piece by piece; starts: where pieces begin, without the first."""
    done = [accumulate.scanned(op, kind, piece, exclusive, initial) for piece in np.split(numbers(kind, x), starts)]
    slack = None if done[0][1] is None else np.concatenate([piece[1] for piece in done])
    return np.concatenate([piece[0] for piece in done]), slack


def ragged(rng, count):
    """Offsets of segments of every class of length, empty ones first, last and in the middle; they begin behind 0."""
    lengths = np.concatenate([[0, 0], rng.integers(1, 70, count), [3000, 1, 1024, 0, 333, 0]])
    lengths[5::9] = 0
    return np.cumsum(np.concatenate([[5], lengths]))


def judge_offsets(library, score, op, kind, exclusive, count):
    """Ragged segments; what lies before the first offset is one, too."""
    rng, more = np.random.default_rng(12), initial_of(library, op, kind, exclusive)
    offsets = ragged(rng, count)
    x = axis_data(op, kind, int(offsets[-1]), rng)
    wanted, slack = in_pieces(op, kind, x, np.unique(offsets[:-1][offsets[:-1] < x.size]), exclusive, more[1])
    got = library.scan_segments(op, kind, x, exclusive, offsets=offsets, **more[0])
    score.note(f"scan {op} {kind} ragged exclusive {exclusive}", accumulate.same(got, wanted, slack),
               f"got {got}, NumPy has {wanted}")


def keys_of(kind, count, rng):
    """Runs of equal keys; of floats NaNs, which equal nothing, and zeros of both signs, which are equal."""
    special = [-0.0, 0.0, np.nan, np.inf, -np.inf] if kind in FLOATS else [0, 1]
    choice = rng.integers(0, 3, count) if kind != "bool" else rng.integers(0, 2, count)
    run = np.where(rng.random(count) < 0.4, rng.choice(special, count), choice)
    keys = np.repeat(run, rng.integers(1, 40, count))[:count]
    return data.as_kind(kind, keys)


def judge_keys(library, score, op, kind, exclusive, key_type, count):
    """By keys of a type. Places are those in the whole."""
    rng, more = np.random.default_rng(13), initial_of(library, op, kind, exclusive)
    x, keys = axis_data(op, kind, count, rng), keys_of(key_type, count, rng)
    known = numbers(key_type, keys)
    starts = np.flatnonzero(known[1:] != known[:-1]) + 1
    wanted, slack = in_pieces(op, kind, x, starts, exclusive, more[1])
    if op in accumulate.FIRST:
        wanted = wanted + np.repeat(np.concatenate([[0], starts]), np.diff(np.concatenate([[0], starts, [count]])))
    got = library.scan_segments(op, kind, x, exclusive, keys=keys, key_type=key_type, **more[0])
    score.note(f"scan {op} {kind} by {key_type} exclusive {exclusive}", accumulate.same(got, wanted, slack),
               f"got {got}, NumPy has {wanted}")


def ways(count):
    """Each way in which the segments of an array lie: name, what the library is told, and where pieces begin."""
    rng = np.random.default_rng(14)
    lengths = rng.integers(0, 60, 2 * count // 30)
    offsets = np.minimum(np.cumsum(np.concatenate([[0], lengths])), count)
    offsets[-1] = count
    keys = np.repeat(np.arange(count) % 5, rng.integers(1, 50, count))[:count].astype("i2")
    length = next(size for size in (37, 36, 35, 1) if count % size == 0)
    return (("rows", {"length": length}, np.arange(length, count, length)),
            ("offsets", {"offsets": offsets}, np.unique(offsets[(offsets > 0) & (offsets < count)])),
            ("keys", {"keys": keys, "key_type": "i16"}, np.flatnonzero(np.diff(keys)) + 1))


def judge_places(library, score, count):
    """Expressions see the place in the segment, by keys that in the whole; n counts the elements of a result."""
    x = np.random.default_rng(15).integers(-9, 10, count)
    y = np.arange(count, dtype="f4") % 3
    for name, told, starts in ways(count):
        begin = np.repeat(np.concatenate([[0], starts]), np.diff(np.concatenate([[0], starts, [count]])))
        own = np.arange(count) - begin
        i = np.arange(count) if name == "keys" else own
        checks = (("map and where", {"map": "x * 3 + i", "where": "i % 3 != 1"}, np.where(i % 3 != 1, x * 3 + i, 0), 1),
                  ("finish", {"finish": "a / n", "accumulate": "f64", "result": "f64"}, x, own + 1),
                  ("two inputs", {"map": "x * y + i", "input_count": 2, "map_type": "f64", "accumulate": "f64",
                                  "result": "f64", "more_types": (TYPES["f32"], 0, 0)}, x * y + i, 1))
        for what, more, terms, divisor in checks:
            kind = "f64" if "result" in more else "i64"
            pieces = np.split(terms.astype(DTYPES[kind]), starts)
            wanted = np.concatenate([np.add.accumulate(piece) for piece in pieces]) / divisor
            beside = (y,) if what == "two inputs" else ()
            got = library.scan_segments("sum", "f64" if kind == "f64" else "i64", x.astype(DTYPES[kind]),
                                        beside=beside, **told, **more)
            score.note(f"scan {what} of {name}", (got == wanted).all(), f"got {got}, NumPy has {wanted}")


def judge_column_places(library, score, shape):
    """The same along an axis that has others behind it: i and n count along the axis."""
    x = np.random.default_rng(18).integers(-9, 10, shape)
    i = np.arange(shape[1])[:, None] + np.zeros(shape, int)
    for exclusive in (False, True):
        terms = np.add.accumulate(np.where(i % 3 != 1, x * 3 + i, 0).astype("f8"), 1)
        wanted = (terms / (i + 1) if not exclusive else
                  np.concatenate([np.full((shape[0], 1, shape[2]), np.nan), terms[:, :-1] / i[:, 1:]], 1))
        got = library.scan_axis("sum", "f64", x.astype("f8"), 1, exclusive, map="x * 3 + i", where="i % 3 != 1",
                                finish="a / n")
        score.note(f"scan map, where and finish of columns, exclusive {exclusive}",
                   ((got == wanted) | ((got != got) & (wanted != wanted))).all(), f"got {got}, NumPy has {wanted}")


def loop(rows, starts, combine, identity, exclusive):
    """One element after the other."""
    out, running, heads = [], identity, {0, *starts.tolist()}
    for place, row in enumerate(rows.tolist()):
        before = identity if place in heads else running
        running = combine(before, row)
        out.append(before if exclusive else running)
    return np.array(out).reshape(rows.shape)


def ordered_rows(rng, count):
    """Operators that do not commute: 2 x 2 matrices modulo a prime, affine maps modulo 2^32."""
    return {"matrix": (MATRIX, "product(a, b)", "unit()", [1, 0, 0, 1], rng.integers(0, PRIME, (count, 4)),
                       lambda l, r: [(l[0] * r[0] + l[1] * r[2]) % PRIME, (l[0] * r[1] + l[1] * r[3]) % PRIME,
                                     (l[2] * r[0] + l[3] * r[2]) % PRIME, (l[2] * r[1] + l[3] * r[3]) % PRIME]),
            "affine": (AFFINE, "then(a, b)", "same()", [1, 0], rng.integers(0, 2**32, (count, 2)) | [1, 0],
                       lambda l, r: [l[0] * r[0] % 2**32, (l[1] * r[0] + r[1]) % 2**32])}


def judge_ordered(library, score, full, count):
    """In full each of them in every way; columns are three times 36 of them."""
    for name, (source, combine, identity, one, x, python) in ordered_rows(np.random.default_rng(16), count).items():
        structure = Structure(name=name.encode(), source=source.encode(), bytes=4 * len(one), alignment=4)
        more = {"structure": structure, "combine": combine, "identity": identity}
        for exclusive, (way, told, starts) in zip((False, True, True), ways(count)):
            if not full and (name == "matrix") != (way == "offsets"):
                continue
            wanted = loop(x, starts, python, one, exclusive)
            got = library.scan_segments("custom", "struct", x.astype("u4"), exclusive, **told, **more)
            score.note(f"scan {name} of {way} exclusive {exclusive}", (got == wanted).all(),
                       f"got {got}, a loop has {wanted}")
        if full or name == "matrix":
            length = count // 108
            lines = np.moveaxis(x.reshape(3, length, 36, -1), 1, 2).reshape(x.shape)
            wanted = loop(lines, np.arange(length, count, length), python, one, False).reshape(3, 36, length, -1)
            got = library.scan_axis("custom", "struct", x.astype("u4"), 1, shape=(3, length, 36), **more)
            score.note(f"scan {name} of columns", (got == np.moveaxis(wanted, 2, 1).reshape(x.shape)).all(),
                       f"got {got}, a loop has {wanted}")


def judge_segments(library, score, full):
    """Every operator and type in full; a choice of them else."""
    rng = np.random.default_rng(17)
    rows = CHECKED if not full else [(op, kind, exclusive, str(rng.choice(list(TYPES))))
                                     for op, kind in itertools.product(accumulate.OPS, TYPES)
                                     for exclusive in (False, True) if takes(op, kind, exclusive)]
    for place, (op, kind, exclusive, key_type) in enumerate(rows):
        every = full or data.is_whole()  # a sample: each row in one way or two
        if every or place % 2 == 0:
            judge_axes(library, score, full, op, kind, exclusive)
        if every or place % 2:
            judge_offsets(library, score, op, kind, exclusive, 400 if full else 90)
        if every or place % 3 == 0:
            judge_keys(library, score, op, kind, exclusive, key_type, 12345 if full else 3001)
    for key_type in TYPES if full else ():
        judge_keys(library, score, "sum", "i32", False, key_type, 54321)
    judge_places(library, score, 36 * 1501 if full else 36 * 101)
    judge_column_places(library, score, (3, 1501, 36) if full else (3, 131, 5))
    judge_ordered(library, score, full, 108 * 701 if full else 108 * 29)


def judge_scans(library, score, full):
    """Flat scans, and those of segments."""
    judge_flat(library, score, full)
    judge_segments(library, score, full)
