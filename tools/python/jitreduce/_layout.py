"""How arrays lie in memory: which axes follow each other, and the shape that is passed to the library.

The library reduces axes of a C-ordered array. An array whose axes only stand in another order, Fortran's for example,
is such an array once its axes are sorted by their strides; nothing is copied.
"""

import math
import operator

from ._given import shown, whole
from ._types import ITEM_BYTES


SPAN_MAX = 4  # times as much memory as its elements is read of an array with gaps; of more a copy is made
ROW_BYTES, ROWS_PART = 128, 2 / 3  # rows of so many bytes, which are no larger part of the memory, are read one by one (H100: views.csv)
DIMENSIONS_MAX = 8  # of the library
AXES_MAX = 4  # axes that are reduced, and those that are not, along which a kernel reads arrays with gaps
ROW = ("row_of_view", "width_of_view")  # parameters: from one row's first element to the next one's, and to its own last


def axes_of(axis, dimensions):
    """The axes, from 0 on, ascending, that `axis` names: None is all, a number one, a tuple several."""
    if axis is None:
        return tuple(range(dimensions))
    if getattr(axis, "shape", ()) != ():
        raise TypeError(f"axis is an array of shape {axis.shape}: give a number, a tuple of numbers, or None for all axes; functions of "
                        "two arrays are jitreduce.dot(x, y) and jitreduce.Reduction(\"sum\", map=\"x * y\")(x, y)")
    numbers = axis if isinstance(axis, (tuple, list)) else (axis,)
    found = []
    for number in numbers:
        try:
            number = operator.index(None if isinstance(number, bool) else number)
        except TypeError:
            raise TypeError(f"axis {shown(number)} is not an integer: give a number, a tuple of numbers, or None for all "
                            "axes") from None
        if dimensions == 0:
            raise ValueError(f"axis {shown(number)} is out of range: an array of 0 dimensions holds one number and has no axis: omit axis")
        if not -dimensions <= number < dimensions:
            raise ValueError(f"axis {shown(number)} is out of range for an array of {dimensions} dimensions")
        found.append(number % dimensions)
    if len(set(found)) < len(found):
        raise ValueError(f"axis {shown(axis)} names an axis twice")
    return tuple(sorted(found))


def shape_of(shape):
    """A shape that the caller gives, as a tuple: a number is that of one axis."""
    try:
        sizes = (operator.index(shape),) if hasattr(type(shape), "__index__") and not hasattr(shape, "shape") else tuple(
            map(operator.index, shape if getattr(shape, "shape", None) != () else (shape,)))
    except (TypeError, ValueError):
        raise TypeError(f"shape {shown(shape)} is neither an integer nor a tuple of integers") from None
    if any(size < 0 for size in sizes):
        raise ValueError(f"shape {shown(shape)} has a negative length")
    return sizes


def strides_in(order, shape, item_bytes):
    """The strides of an array of that shape whose axes lie in memory in that order, the outermost first."""
    strides, step = [0] * len(shape), item_bytes
    for axis in reversed(order):
        strides[axis] = step
        step *= shape[axis]
    return tuple(strides)


def lies_in(array, order, item_bytes):
    """Whether an array lies in memory without gaps, with its axes in that order, the outermost first."""
    wanted = strides_in(order, array.shape, item_bytes)
    return 0 in array.shape or all(
        size == 1 or has == must for size, has, must in zip(array.shape, array.strides, wanted))


def order_of(array, item_bytes):
    """(the order of axes, the outermost first, in which an array lies in memory, whether it does so without gaps); with gaps
    the order is C's."""
    order = tuple(range(len(array.shape)))
    if lies_in(array, order, item_bytes):
        return order, True
    strided = tuple(sorted(order, key=lambda axis: -array.strides[axis] if array.shape[axis] != 1 else 0))
    return (strided, True) if lies_in(array, strided, item_bytes) else (order, False)


def walk_of(array, order, item_bytes):
    """(length, stride in elements) of each axis of more than one element, the outermost first; neighbours that follow each
    other without a gap are one axis."""
    walk = []
    for a in order:
        length, stride = array.shape[a], array.strides[a] // item_bytes
        if walk and length > 1 and walk[-1][1] == stride * length:
            walk[-1] = (walk[-1][0] * length, stride)
        elif length > 1:
            walk.append((length, stride))
    return walk or [(1, 0)]


def span_of(array, item_bytes, by_rows):
    """How an array with gaps is read with all the memory between its elements: (elements from the first to the last, an expression
    that selects the array's by their index, the values of the parameters ROW in it or ()). None: it has no gaps, its elements are
    not rows of one stride, too much would be read, or its rows are sooner read one by one, which by_rows allows."""
    if array.address % item_bytes or any(stride % item_bytes for stride in array.strides):
        return None
    walk = walk_of(array, sorted(range(len(array.shape)), key=lambda axis: -array.strides[axis]), item_bytes)
    (rows, row), (length, stride) = walk if len(walk) == 2 else ((1, 0), walk[-1])
    width = (length - 1) * stride + 1
    span = (rows - 1) * row + width
    if len(walk) > 2 or stride < 1 or (rows > 1 and row < width) or span == rows * length or span > SPAN_MAX * rows * length or span >> 32:
        return None
    if by_rows and rows > 1 and stride == 1 and length * item_bytes >= ROW_BYTES and rows * length <= ROWS_PART * span:
        return None
    at = "(unsigned int)i" if rows == 1 else f"(unsigned int)i % {ROW[0]}"
    texts = [f"{at} < {ROW[1]}"] * (rows > 1) + [f"{at} % {stride} == 0"] * (stride > 1)
    return span, " && ".join(texts), (row, width) if rows > 1 else ()


def view_of(arrays, order, reduced):
    """How arrays of one shape are read where they lie, their axes in that order, the outermost first: (the shape in that order and which
    axes are reduced, without those of one element; the strides of each array, in elements). None: they have no elements, or do not lie at
    places of elements."""
    shape, sizes = arrays[0].shape, [ITEM_BYTES[array.type] for array in arrays]
    places = [a for a in order if shape[a] > 1]
    if 0 in shape or any(array.address % size or any(array.strides[a] % size for a in places) for array, size in zip(arrays, sizes)):
        return None
    inside = tuple(at for at, a in enumerate(places) if a in reduced)
    more = () if inside else (1,)  # an axis to reduce
    strides = tuple(tuple(array.strides[a] // size for a in places) + more for array, size in zip(arrays, sizes))
    return tuple(shape[a] for a in places) + more, inside or (len(places),), strides


def _ends(array):
    """The first byte of an array's memory, and the one after its last."""
    reaches = [(size - 1) * stride for size, stride in zip(array.shape, array.strides)]
    return array.address + sum(reach for reach in reaches if reach < 0), array.address + sum(reach for reach in reaches if reach > 0) + ITEM_BYTES[array.type]


def meet(one, others):
    """Whether the memory of an array and of one of others may have bytes in common."""
    begin, end = _ends(one)
    return 0 not in one.shape and any(0 not in other.shape and first < end and begin < last for other in others for first, last in (_ends(other),))


def order_apart(array, reduced, on_device, matters):
    """The order of axes in which arrays with gaps are read where they lie. On a device: the kept ones as the array has them in memory,
    then the reduced ones; in host memory as the array has all of them, or in C order where that matters. None: too many axes."""
    axes = sorted(range(len(array.shape)), key=lambda a: 0 if matters and not on_device else -abs(array.strides[a]))
    kept, inside = [a for a in axes if a not in reduced], sorted(reduced)
    counts = [sum(array.shape[a] > 1 for a in some) for some in (kept, inside)]
    if (max(counts) > AXES_MAX) if on_device else (sum(counts) >= DIMENSIONS_MAX):
        return None
    return (*kept, *inside) if on_device else tuple(axes)


def reshaped(shape, count):
    """A shape that the caller gives for so many elements; -1 stands for the length that is left."""
    sizes = [whole("shape", size) for size in (shape if isinstance(shape, (tuple, list)) else (shape,))]
    known = math.prod(size for size in sizes if size != -1)
    if sizes.count(-1) == 1 and known > 0 and count % known == 0:
        sizes[sizes.index(-1)] = count // known
    if any(size < 0 for size in sizes) or math.prod(sizes) != count:
        raise ValueError(f"{count} elements do not have the shape {shown(shape)}")
    return tuple(sizes)


def _places_of(key, dimensions):
    """The parts of an index, one for each axis, where ... is as many whole axes as are left; None is a new axis."""
    parts = list(key) if isinstance(key, tuple) else [key]
    for part in parts:
        number = hasattr(type(part), "__index__") and not isinstance(part, bool) and getattr(part, "shape", ()) == ()
        if not (number or part is None or part is Ellipsis or isinstance(part, slice)):
            raise TypeError(f"index {shown(part)}: the elements are in device memory, where numbers, slices, ... and None select a view; "
                            ".numpy() copies them to host memory, where others do")
    left = dimensions - sum(part is not None and part is not Ellipsis for part in parts)
    if left < 0 or sum(part is Ellipsis for part in parts) > 1:
        raise IndexError(f"index {shown(key)} has too many parts for an array of {dimensions} dimensions")
    if not any(part is Ellipsis for part in parts):
        parts.append(Ellipsis)
    at = next(at for at, part in enumerate(parts) if part is Ellipsis)
    return parts[:at] + [slice(None)] * left + parts[at + 1:]


def indexed(key, shape, strides, address):
    """(shape, strides, address) of what an index selects: numbers, slices, ... and None."""
    sizes, steps, axis = [], [], 0
    for part in _places_of(key, len(shape)):
        if part is None:
            sizes.append(1)
            steps.append(0)
            continue
        length, stride = shape[axis], strides[axis]
        axis += 1
        if isinstance(part, slice):
            begin, _, step = part.indices(length)
            sizes.append(len(range(*part.indices(length))))
            steps.append(stride * step)
            address += begin * stride if sizes[-1] else 0
            continue
        number = operator.index(part)
        if not -length <= number < length:
            raise IndexError(f"index {number} is out of range for an axis of length {length}")
        address += number % length * stride
    return sizes, steps, address


def merged(shape, order, reduced):
    """The shape and the reduced axes that are passed to the library: adjacent axes of one kind are merged."""
    if 0 in shape:
        kept = 1
        for axis, size in enumerate(shape):
            kept *= 1 if axis in reduced else size
        return (kept, 0), (1,)
    sizes, kinds = [], []
    for axis in order:
        if shape[axis] == 1:
            continue
        if kinds and kinds[-1] == (axis in reduced):
            sizes[-1] *= shape[axis]
        else:
            sizes.append(shape[axis])
            kinds.append(axis in reduced)
    if True not in kinds:
        sizes.append(1)
        kinds.append(True)
    return tuple(sizes), tuple(axis for axis, kind in enumerate(kinds) if kind)
