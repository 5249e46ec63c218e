"""What is more than one number of one array: operators that do not commute, axes and segments."""

import numpy as np

import data
import oracle
from jitreduce import FLOATS, TYPES, Error, Structure

PRIME = 32749
MATRIX = """
struct matrix { unsigned a, b, c, d; };
__device__ matrix unit() { return {1, 0, 0, 1}; }
__device__ matrix product(const matrix &l, const matrix &r) {
    return {(l.a * r.a + l.b * r.c) % 32749, (l.a * r.b + l.b * r.d) % 32749,
            (l.c * r.a + l.d * r.c) % 32749, (l.c * r.b + l.d * r.d) % 32749};
}
"""


def matrix_product(matrices):
    """The product modulo the prime, by halves that keep the order: NumPy's part is the products of pairs."""
    while len(matrices) > 1:
        odd = matrices[-1:] if len(matrices) % 2 else matrices[:0]
        pairs = matrices[:len(matrices) // 2 * 2].reshape(-1, 2, 2, 2)
        matrices = np.concatenate([np.einsum("nij,njk->nik", pairs[:, 0], pairs[:, 1]) % PRIME, odd])
    return matrices[0]


def judge_ordered(library, score, count):
    """2 x 2 matrices modulo a prime, none of them singular; and the first that is not zero."""
    rng = np.random.default_rng(8)
    matrices = rng.integers(0, PRIME, (count, 2, 2))
    matrices[:, 0, 0] += (matrices[:, 0, 0] * matrices[:, 1, 1] - matrices[:, 0, 1] * matrices[:, 1, 0]) % PRIME == 0
    structure = Structure(name=b"matrix", source=MATRIX.encode(), bytes=16, alignment=4)
    spec = library.spec("custom", "struct", structure=structure, combine="product(a, b)", identity="unit()")
    got = np.frombuffer(library.reduce(spec, matrices.astype("u4"))[:16], "u4").reshape(2, 2)
    wanted = matrix_product(matrices)
    score.note(f"product of {count} matrices", (got == wanted).all(), f"got {got}, NumPy has {wanted}")
    first = library.spec("custom", "i32", combine="a != 0 ? a : b", identity="0")
    for place in (0, 1, count // 3, count - 1):
        x = np.zeros(count, "i4")
        x[place:] = rng.integers(1, 1000, count - place)
        got = library.reduce(first, x)
        score.note(f"first of {count} from {place}", got == x[place], f"got {got}, NumPy has {x[place]}")


def judge_pieces(score, name, op, kind, pieces, got):
    """Each of many results is that of its piece; said once."""
    for piece, result in zip(pieces, got):
        expected = oracle.judge(op, kind, [piece])
        if not expected.agrees(result):
            score.note(name, False, f"got {result!r} of {piece}, NumPy has {expected.value!r} +- {expected.tolerance}")
            return
    score.note(name, len(pieces) == len(got), f"{len(got)} results of {len(pieces)} pieces")


def axis_data(op, kind, count, rng):
    """Ties, a few NaNs among floats."""
    x = data.random(op, kind, count, rng)
    if op in ("argmin", "argmax"):
        x = data.as_kind(kind, rng.integers(0, 3, count).astype(float))
    if kind in FLOATS and op != "prod":
        x[rng.choice(count, max(1, count // 300), replace=False)] = data.as_kind(kind, np.array([np.nan]))[0]
    return x


def of_turn(kinds, turn):
    """Every other one for a sample, which others in the next turn."""
    return kinds if data.is_whole() else kinds[turn % 2::2]


def judge_axes(library, score, full):
    """Every axis of arrays of up to four dimensions; ragged segments, some of them empty."""
    shapes = [(1000,), (33, 70), (5, 7, 129), (3, 4, 5, 17)]
    if full:
        shapes += [(1, 300, 1), (600, 4), (2, 3000), (8, 1, 9, 40)]
    ops = ("sum", "prod", "min", "max", "argmin", "argmax", "mean", "var", "norm2", "any", "xor")
    for turn, op in enumerate(ops if full else ("sum", "min", "argmax", "var")):
        for kind in TYPES if full else of_turn(("i16", "f32"), turn):
            if not oracle.takes(op, kind):
                continue
            rng = np.random.default_rng(10)
            for shape in shapes:
                x = axis_data(op, kind, int(np.prod(shape)), rng).reshape(shape)
                for axis in range(x.ndim):
                    pieces = np.moveaxis(x, axis, -1).reshape(-1, shape[axis])
                    got = library.reduce_axis(op, kind, x, axis).reshape(-1)
                    judge_pieces(score, f"{op} {kind} axis {axis} of {shape}", op, kind, pieces, got)
            judge_ragged(library, score, op, kind, rng)
    judge_columns_anywhere(library, score, full)
    several = [((5, 7, 129), (0, 2)), ((40, 6, 3), (2, 0)), ((3, 4, 5, 17), (1, -1)), ((4, 3, 2, 5), (0, 1, 3))]
    if full:
        several += [((5, 7, 129), (0, 1)), ((5, 7, 129), (1, 2)), ((5, 7, 129), (0, 1, 2)), ((2, 3, 2, 4, 3), (0, 2, 4)),
                    ((1, 30, 1, 40), (0, 1)), ((600, 2, 3), (0, 2)), ((3, 2, 600), (0, -1))]
    for turn, op in enumerate([op for op in oracle.JUDGED if op != "dot"] if full else ("sum", "argmin", "std", "mean")):
        for kind in TYPES if full else of_turn(("i32", "f16"), turn):
            if oracle.takes(op, kind):
                judge_several_axes(library, score, op, kind, several)


def judge_columns_anywhere(library, score, full):
    """Columns of arrays that begin between the boundaries of vectors: narrow and wide rows, small slabs, parts of rows."""
    shapes = [(300, 3), (5, 4, 7), (9, 333), (40, 23, 5), (2000, 12), (3, 17, 437)]
    if full:
        shapes += [(20000, 3), (30, 56, 56), (100, 5, 255), (3, 5001), (700, 300), (3, 3, 4096)]
    rng = np.random.default_rng(13)
    for turn, op in enumerate(("sum", "max", "argmin", "mean", "std", "norm2", "any") if full else ("sum", "argmin")):
        for kind in TYPES if full else of_turn(("i8", "f16", "f32", "f64"), turn):
            for shape in shapes:
                x = axis_data(op, kind, int(np.prod(shape)), rng).reshape(shape)
                axis, offset = x.ndim - 2, int(rng.integers(0, 17))
                pieces = np.moveaxis(x, axis, -1).reshape(-1, shape[axis])
                got = library.reduce_axis_at(op, kind, x, axis, offset)
                judge_pieces(score, f"{op} {kind} axis {axis} of {shape} at {offset}", op, kind, pieces, got)


def judge_several_axes(library, score, op, kind, shapes):
    """Several axes at once: every choice of two of three dimensions, and some of more; the index is along all of them."""
    rng = np.random.default_rng(12)
    for shape, axes in shapes:
        x = axis_data(op, kind, int(np.prod(shape)), rng).reshape(shape)
        kept = [k for k in range(x.ndim) if k not in [a % x.ndim for a in axes]]
        order = kept + sorted(a % x.ndim for a in axes)
        pieces = np.ascontiguousarray(np.transpose(x, order)).reshape(int(np.prod([shape[k] for k in kept])), -1)
        got = library.reduce_axis(op, kind, x, axes)
        same_shape = got.shape == np.empty(shape, "?").sum(axes).shape
        score.note(f"{op} {kind} shape of axes {axes} of {shape}", same_shape, f"{got.shape}")
        judge_pieces(score, f"{op} {kind} axes {axes} of {shape}", op, kind, pieces, got.reshape(-1))


def judge_ragged(library, score, op, kind, rng):
    """Lengths of every class; one segment holds half. Empty ones where the operator has a value for them."""
    lengths = np.concatenate([rng.integers(1, 70, 90), [9000, 1, 1024, 333]])
    if op not in oracle.NEEDS_ELEMENTS:
        lengths[::9] = 0
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    x = axis_data(op, kind, int(offsets[-1]), rng)
    pieces = [x[a:b] for a, b in zip(offsets[:-1], offsets[1:])]
    judge_pieces(score, f"{op} {kind} ragged", op, kind, pieces, library.reduce_segments(op, kind, x, offsets))
    if op in oracle.NEEDS_ELEMENTS:
        try:
            library.reduce_segments(op, kind, x, [0, 3, 3, 9])
            status = "JR_OK"
        except Error as error:
            status = error.status
        score.note(f"{op} {kind} of an empty segment", status == "JR_ERROR_EMPTY_INPUT", status)
