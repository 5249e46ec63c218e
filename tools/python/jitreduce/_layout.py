"""How arrays lie in memory: which axes follow each other, and the shape that is passed to the library.

The library reduces axes of a C-ordered array. An array whose axes only stand in another order, Fortran's for example,
is such an array once its axes are sorted by their strides; nothing is copied.
"""

import operator

from ._given import shown


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
    """The order of axes, the outermost first, in which an array lies in memory without gaps; C's if it has gaps."""
    order = tuple(range(len(array.shape)))
    if lies_in(array, order, item_bytes):
        return order
    strided = tuple(sorted(order, key=lambda axis: -array.strides[axis] if array.shape[axis] != 1 else 0))
    return strided if lies_in(array, strided, item_bytes) else order


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
