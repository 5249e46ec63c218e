"""One call: arrays and words of the caller become a spec, a shape and Arrays; results become the caller's kind."""

import copy
import functools
import math
import numbers
import re
import sys
import warnings
from collections.abc import Hashable, Mapping

from . import _columns, _device, _documented, _given, _jitreduce, _launch, _layout, _types
from ._context import context_of
from ._given import shown
from ._results import HostArray, wanted_of

INPUTS = "xyzw"  # what expressions call the arrays
OPTIONS = frozenset(_documented.OPTIONS)
EXPRESSIONS = ("map", "where", "finish", "combine")
PARAMETERS_MAX = 16  # of a spec
SOME_COUNT = 65537  # elements of which a spec is warned when it is made; more have an index of their own
PART_BYTES = 256 << 20  # copies of host arrays without gaps that are larger are made in parts
ACCURACIES = {"fast": 0, "exact": 1, "reproducible": 2}  # the library's jr_accuracy


_TYPES_NAMED = (("a map type of i64", "map_type='int64'"), ("a map type of f64", "map_type='float64'"), ("a result of i64", "result='int64'"))


@functools.lru_cache(maxsize=1024)
def _warn(text, types):  # pylint: disable=unused-argument
    """A warning that is given once, however many specs are made of the same expressions and types."""
    warnings.warn(text, RuntimeWarning, stacklevel=_documented.caller_level())


def _warn_of_whole_numbers(spec, fields, count):
    """Warns of what C does with whole numbers where Python has fractions, unless a type says that it is meant."""
    name, _, words = spec.foresee(count).partition(": ")
    if words:
        for own, python in _TYPES_NAMED:
            words = words.replace(own, python)
        _warn(f"{name}={fields.get(name)!r}: {words}", (fields.get("type"), fields.get("more_types")))


@functools.lru_cache(maxsize=1024)
def _kept_spec(fields):
    members = dict(fields)
    members.pop("negative_zeros", None)
    if "ddof" in members and not {"var", "std"} & {members.get("op"), *members.get("ops", ())}:
        raise ValueError("correction: only var and std have one")
    spec = _jitreduce.Spec(**members)
    if not members.keys().isdisjoint(EXPRESSIONS):
        _warn_of_whole_numbers(spec, members, SOME_COUNT)
    return spec


def _is_hashable(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _name_number(fields, error):
    """Puts the argument's name before an error about a number that the library does not take."""
    for name, value in fields:
        given = {"initial": value[-1]} if name == "initial" else {
            f"parameters[{key!r}]": pair[-1] for key, pair in value} if name == "parameters" else {}
        for argument, number in given.items():
            if str(error).startswith(f"{shown(number)} "):
                error.args = (f"{argument}={error}",)
                return


def spec_of(fields):
    """The library's spec of a tuple of (member, value); made once."""
    try:
        return _kept_spec(fields)
    except ValueError as error:
        raise _documented.op_unknown(error) if type(error) is ValueError else error  # pylint: disable=unidiomatic-typecheck
    except (TypeError, OverflowError) as error:
        _name_number(fields, error)
        for name, value in fields:
            if not _is_hashable(value):
                given = value[-1] if name == "initial" else value
                raise TypeError(f"{name}={shown(given)} is neither a number nor a text") from None
        raise


def check_ops(names):
    """Raises ValueError for a name that no operator has."""
    for name in names:
        try:
            spec_of((("op", name), ("type", "f64")))
        except (_jitreduce.Error, TypeError):
            pass  # an operator, of other elements


def members_of(members):
    """Members of a spec as the library names them, of those that a caller names."""
    given = {"ddof" if name == "correction" else name: value for name, value in members.items() if value is not None}
    for name in ("accumulate", "result", "map_type"):
        if name in given:
            given[name] = _types.of_dtype(given[name])
    return given


class Kind:
    """How results go back: as arrays of the class of the caller's where that exchanges arrays, as NumPy's arrays and
    scalars, or as Python's numbers and arrays that the caller's library makes by DLPack, else memoryviews."""

    def __init__(self, x):
        numpy = sys.modules.get("numpy")
        self.x = x
        self.numpy = numpy if numpy and isinstance(x, (numpy.ndarray, numpy.generic, _jitreduce.Array)) else None
        self.exchanges = _jitreduce.exchanges(type(x))

    def check(self, kinds):
        """Raises ImportError, before anything is reduced, for results whose type NumPy lacks."""
        if self.numpy is not None and not _types.UNNAMED.isdisjoint(kinds):
            _types.numpys(self.numpy, next(kind for kind in kinds if kind in _types.UNNAMED))

    def number(self, number, kind):
        """One result without axes, of an array in host memory."""
        if self.exchanges:
            array = _jitreduce.Array(kind, (), ())
            array.store(number)
            return array.as_class(type(self.x))
        return number if self.numpy is None else _types.numpys(self.numpy, kind).type(number)

    def array(self, array):
        """An Array of results in host memory."""
        if self.exchanges:
            return array.as_class(type(self.x))
        if self.numpy is not None and array.type in _types.UNNAMED:
            bits = _jitreduce.Array.at(array, f"u{8 * _types.ITEM_BYTES[array.type]}", array.shape, array.strides, array.address,
                                       False, _device.CPU, 0, 0)
            return self.numpy.asarray(bits).view(_types.numpys(self.numpy, array.type))
        if self.numpy is not None:
            return self.numpy.asarray(array)
        take = _device.taker_of(self.x)
        return memoryview(array) if take is None else take(HostArray(array))


def parameter_pairs(parameters):
    """Named numbers as the library's spec takes them: whole numbers are i64, others f64, unless they are NumPy's."""
    if not isinstance(parameters, Mapping):
        raise TypeError(f"parameters={shown(parameters)}: give a dict of numbers, as {{'least': 2}}")
    pairs = []
    for name, number in parameters.items():
        if not isinstance(name, str):
            raise TypeError(f"parameters: {shown(name)} is not a name")
        kind = "i64" if isinstance(number, int) else "f64"
        if getattr(number, "shape", ()) != ():
            raise TypeError(f"parameters: {name}={shown(number)} is an array, and a parameter one number: expressions read up to "
                            f"{len(INPUTS)} arrays of one shape as x, y, z and w")
        if hasattr(number, "dtype") and _types.found(number.dtype) in _types.WIDE:
            kind = _types.found(number.dtype)
        if not _is_hashable(number):
            number = number.item() if hasattr(number, "item") else number
        if not _is_hashable(number):
            raise TypeError(f"parameters: {name}={shown(number)} is not a number")
        pairs.append((name, (kind, number)))
    return tuple(pairs)


class Call:
    """The arguments of one reduction or scan, taken apart."""

    def __init__(self, inputs, options, function=None, more=()):
        """function: the public one that was called, for the names of its arguments in an error. more: arguments by their
        place that are too many."""
        if more:
            _documented.refuse(function, more)
        self.called, self.masked, self.present = getattr(function, "__name__", None), False, None
        self.in_c_order, self.first_result = False, 0  # of a part of a larger call: the number of its first result
        self.copied = False  # whether what is reduced lies elsewhere than the caller's arrays
        self.begins = None  # addresses of the caller's arrays, where what is reduced begins elsewhere in them, or is more of their memory
        self.whole = None  # the spec of memory that has gaps: span; or of rows that are applied
        self.applies = False  # to rows (_apply.py)
        self.stays = self.stretched = False  # arrays are read from their own addresses; a mask is seen in a larger shape than its own
        self.apart = None  # shape, reduced axes and strides of arrays with gaps that are read where they lie
        if function is not None and not options.keys() <= OPTIONS:
            _documented.check_names(options, (*_documented.names_of(function), *_documented.OPTIONS),
                                    _documented.names_offered(function), function.__name__)
        self.asked = stream = _device.stream_number(options.pop("stream", None))
        like, first, self.present = _device.seen(inputs[0], "x", stream)
        self.kind, self.arrays, self.shape = Kind(like), [first], first.shape
        self.on_device = self.arrays[0].device[0] != _device.CPU
        self.stream = (stream or self.arrays[0].stream or 1) if self.on_device else None
        self.arrays += [self.view(x, name) for x, name in zip(inputs[1:], INPUTS[1:])]
        self.fields = {"type": self.arrays[0].type}
        self.owner = options.pop("context", None)
        self.owner = self.owner if self.owner is None else context_of(self.owner)
        if self.on_device:
            self.owner = _device.context_for(self.owner, self.arrays[0])
        elif stream is not None:
            raise ValueError("stream: only for arrays in device memory; these are in host memory")
        self.owner = context_of(self.owner)
        self.context = self.owner._context  # pylint: disable=protected-access
        self.value = _given.flag("value", options.pop("value", False))
        nan = options.pop("nan", "propagate")
        if not isinstance(nan, str) or nan not in ("propagate", "ignore"):
            raise ValueError(f"nan={shown(nan)}: must be 'propagate' or 'ignore'")
        if nan == "ignore":
            self.fields["nan"] = 1
        self.take_accuracy(options.pop("exact", False), options.pop("accuracy", None))
        self.take_parameters(options.pop("parameters", None))
        self.fields.update({word: value for word, value in options.items() if value is not None})

    def view(self, x, name):
        """The Array that sees another array, which must be where the first one is."""
        _, array, present = _device.seen(x, name, self.stream)
        if present is not None:
            if array.shape != self.shape:
                raise ValueError(f"the arrays have the shapes {self.shape} and {array.shape}: arrays are not broadcast")
            self.present = _columns.both(self.present, present)
        if (array.device[0] != _device.CPU) != self.on_device:
            places = ("device", "host") if self.on_device else ("host", "device")
            raise ValueError(f"x is in {places[0]} memory, {name} in {places[1]} memory; jitreduce copies nothing by itself")
        return array

    def take_accuracy(self, exact, accuracy):
        """How right a rounded result is: exact=True is accuracy="exact"."""
        exact = _given.flag("exact", exact)
        if accuracy is not None and (not isinstance(accuracy, str) or accuracy not in ACCURACIES):
            raise ValueError(f"accuracy={shown(accuracy)}: must be one of {', '.join(map(repr, ACCURACIES))}")
        if exact and accuracy not in (None, "exact"):
            raise ValueError(f"exact=True and accuracy={shown(accuracy)}: give one of them")
        if exact or accuracy:
            self.fields["accuracy"] = ACCURACIES["exact" if exact else accuracy]

    def take_parameters(self, parameters):
        """Named numbers of expressions: whole numbers are i64, others f64, unless they are NumPy's."""
        if parameters is None:
            return
        pairs = parameter_pairs(parameters)
        self.fields["parameters"] = pairs
        self._tell_zeros((name, number) for name, (_, number) in pairs)

    def _tell_zeros(self, given):
        """Tells -0.0 from 0.0, which is equal, so that the spec of the one is not taken for the other. given: (name, number)."""
        negative = tuple(name for name, number in given
                         if isinstance(number, numbers.Real) and number == 0 and math.copysign(1, number) < 0)
        if negative:
            self.fields["negative_zeros"] = (*self.fields.get("negative_zeros", ()), *negative)

    def take_where(self, where):
        """Which elements count: an expression, or an array of booleans, read together with the others; and no nulls."""
        if where is not None and where is not True:
            self._take_condition(where)
        if self.present is not None:
            self._take_mask(self.present)

    def _take_condition(self, where):
        if "where" in self.fields:
            raise ValueError("the Reduction already has a where: give one of them")
        if type(where).__name__ in ("bool", "bool_"):  # Python's or NumPy's: of all elements
            where = "1" if where else "0"
        if isinstance(where, str):
            self.fields["where"] = _given.text("where", where)
            return
        if callable(where):
            raise TypeError(f"where={shown(where)} is a function of Python: an expression is C, as text, \"x > 2\"")
        mask = self.view(where, "where")
        if mask.type != "bool":
            raise TypeError(f"where has elements of {_types.ARRAY_API[mask.type]}, not of bool: pass where != 0, or an expression as text")
        if mask.shape != self.shape:
            mask, self.stretched = _stretched(mask, self.shape), True
        if self.present is not None:
            self.present = _columns.both(self.present, mask)
        else:
            self._take_mask(mask)

    def _take_mask(self, mask):
        """Reads booleans together with the arrays, beside an expression if there is one, which must not name them."""
        if len(self.arrays) == len(INPUTS):
            raise ValueError(f"at most {len(INPUTS)} arrays, with where among them; nulls are read as a where")
        name, text = INPUTS[len(self.arrays)], self.fields.get("where")
        if any(re.search(rf"\b{name}\b", self.fields.get(one) or "") for one in ("map", "where")):
            self.take_inputs()
            self.spec_of(self.fields)  # its error: there is no such array
        self.fields["where"], self.masked, self.present = name if text is None else f"({text}) && {name}", True, None
        self.arrays.append(mask)

    def take_initial(self, initial):
        """The value that is folded in first, in the type that the result has before `finish`."""
        if initial is None:
            return
        if "ops" in self.fields:
            raise ValueError("initial: only with one operator")
        self.take_inputs()
        plain = {name: value for name, value in self.fields.items()
                 if name not in ("finish", "accuracy") and not ("finish" in self.fields and name == "result")}
        if hasattr(initial, "item") and getattr(initial, "shape", None) == ():
            initial = initial.item()
        if not isinstance(initial, Hashable):
            raise TypeError(f"initial={shown(initial)} is not a number")
        (kind,) = self.spec_of(plain).types
        self.fields["initial"] = (kind, initial)
        self._tell_zeros(((None, initial),))

    def take_inputs(self):
        """How many arrays are read together, which expressions may name then, and their types. Last of all comes a mask."""
        for array in self.arrays[1:]:
            if array.shape != self.shape:
                raise ValueError(f"the arrays have the shapes {self.shape} and {array.shape}: arrays are not broadcast")
        if len(self.arrays) > 1:
            self.fields["input_count"] = len(self.arrays)
            self.fields["more_types"] = tuple(array.type for array in self.arrays[1:])

    def spec(self):
        """The spec of all that was taken."""
        if self.whole is not None:
            return self.whole
        if self.present is not None:
            _device.refuse_nulls("x")
        self.take_inputs()
        if self.fields.get("accuracy") == ACCURACIES["exact"]:
            self.fields.pop("accumulate", None)  # of a dtype: nothing is rounded before the result
        self.check_all_are_read()
        self.check_parameters_are_read()
        spec = self.spec_of(self.fields)
        count = math.prod(self.shape)
        if count > SOME_COUNT and not self.fields.keys().isdisjoint(EXPRESSIONS):
            _warn_of_whole_numbers(spec, self.fields, count)
        return spec

    def spec_of(self, fields):
        """The library's spec; an expression that names an array which the function does not take has advice."""
        try:
            return spec_of(tuple(fields.items()))
        except _jitreduce.InvalidExpressionError as error:
            text, given = str(error), fields.get("where")
            if self.called in _documented.OF_ONE_ARRAY and given:
                op = fields["ops"] if "ops" in fields else fields["op"]
                error.args = (text.replace("pass one more array", f"{self.called} takes one array: jitreduce.Reduction({op!r}, where={given!r})(x, y)"),)
            raise

    def check_parameters_are_read(self):
        """Raises ValueError for parameters without any expression that could name them."""
        named = self.fields.keys() & {"map", "where", "finish", "combine"}
        alone = self.masked and self.fields["where"] == INPUTS[len(self.arrays) - 1]
        if self.fields.get("parameters") and not named - ({"where"} if alone else set()):
            given = {name: number for name, (_, number) in self.fields["parameters"]}
            raise ValueError(f"parameters={shown(given)}: no expression is given that could name them, as where=\"x > {next(iter(given))}\" would")

    def check_all_are_read(self):
        """Raises ValueError for an array that no expression names, which would change nothing."""
        if len(self.arrays) < 2 or self.fields.get("op") == "dot":
            return
        texts = " ".join(self.fields.get(name) or "" for name in ("map", "where"))
        if not texts.isspace():
            self.spec_of(self.fields)  # an error of an expression comes first
        for name in INPUTS[1:len(self.arrays)]:
            if not re.search(rf"\b{name}\b", texts):
                op = self.fields.get("op", "sum")
                made = "combine=..., identity=..." if op == "custom" else repr(op)
                raise ValueError(f"{len(self.arrays)} arrays, and neither map nor where names {name}: pass fewer, or jitreduce.Reduction({made}, "
                                 f"map=\"x * {name}\"); results of several arrays are several calls")

    def order(self, reduced=(), apart=False):
        """The order of axes, the outermost first, in which all arrays lie in memory without gaps, once those that do not were
        copied. reduced: axes whose elements are combined in C order where that matters. apart: arrays may have gaps instead."""
        c_order, matters = tuple(range(len(self.shape))), len(self.shape) > 0 and self.needs_order()
        if self.whole is not None:
            return c_order
        if not matters and not self.stays and self.fields.get("accuracy") != ACCURACIES["reproducible"]:
            self.turn(reduced)
        order, lies = _layout.order_of(self.arrays[0], _types.ITEM_BYTES[self.arrays[0].type])
        met = [a for a in order if a in reduced and self.shape[a] > 1] if matters else []
        if met != sorted(met) or self.in_c_order:
            order, lies = c_order, False
        misplaced = self.misplaced(order, lies)
        if misplaced and apart and self.may_lie_apart():
            seen = _layout.order_apart(self.arrays[0], reduced, self.on_device, matters)
            self.apart = seen and _layout.view_of(self.arrays, seen, reduced)
            if self.apart is not None:
                return seen
        for at in misplaced:
            self.arrays[at] = _launch.packed(self, self.arrays[at], order) if self.on_device else self.arrays[at].packed(order)
            self.copied = True
        return order

    def order_of_scan(self, axis, out):
        """The same for a scan along an axis. Arrays with gaps are read where they lie, in C order, but where results are written."""
        order, lies = _layout.order_of(self.arrays[0], _types.ITEM_BYTES[self.arrays[0].type])
        if not self.misplaced(order, lies) or not self.may_lie_apart() or out is not None and _layout.meet(self.view(out, "out"), self.arrays):
            return self.order()
        c_order = tuple(range(len(self.shape)))
        self.apart = _layout.view_of(self.arrays, c_order, (axis,))
        if self.apart is None or len(self.apart[0]) > _layout.DIMENSIONS_MAX:
            self.apart = None
            return self.order()
        return c_order

    def misplaced(self, order, lies):
        """The numbers of the arrays that do not lie in memory without gaps, with their axes in that order. lies: whether the first one does."""
        return [at for at, array in enumerate(self.arrays) if not (lies if at == 0 else _layout.lies_in(array, order, _types.ITEM_BYTES[array.type]))
                or not self.on_device and array.address % _types.ITEM_BYTES[array.type]]

    def may_lie_apart(self):
        """Whether arrays with gaps can be read where they lie: not by the fixed tree, nor by an algorithm for all elements."""
        return self.fields.get("accuracy") != ACCURACIES["reproducible"] and "algorithm" not in self.fields

    def turn(self, reduced):
        """Sees reduced axes along which all arrays lie backwards from their other end, where the order of elements is free."""
        for axis in reduced:
            if self.shape[axis] > 1 and all(array.strides[axis] < 0 for array in self.arrays):
                self.see([_turned(array, axis) for array in self.arrays])

    def see(self, arrays):
        """Takes other views of the same memory."""
        if self.begins is None:
            self.begins = [array.address for array in self.arrays]
        self.arrays = arrays

    def span(self):
        """Sees arrays in device memory whose elements are all reduced, and have gaps, as all the memory from the first element to
        the last, and selects them there: a kernel reads that faster than it copies it. Nothing where the order of elements matters,
        where the memory is much more than the elements, or where the arrays lie in different ways."""
        parameters = self.fields.get("parameters", ())
        taken = not {name for name, _ in parameters}.isdisjoint(_layout.ROW) or len(parameters) + len(_layout.ROW) > PARAMETERS_MAX
        if (taken or not self.on_device or 0 in self.shape or self.needs_order() or self.fields.get("accuracy") == ACCURACIES["reproducible"]
                or re.search(r"\bn\b", self.fields.get("finish") or "")):
            return
        self.turn(range(len(self.shape)))
        by_rows = self.may_lie_apart() and not self.value
        spans = {_layout.span_of(array, _types.ITEM_BYTES[array.type], by_rows) for array in self.arrays}
        found = spans.pop()
        if spans or found is None:
            return
        count, selects, row = found
        text = self.fields.get("where")
        fields = {**self.fields, "where": selects if text is None else f"({text}) && {selects}"}
        if row:
            fields["parameters"] = (*parameters, *((name, ("u32", number)) for name, number in zip(_layout.ROW, row)))
        self.whole = self.spec_of(fields)
        self.see([_jitreduce.Array.at(array, array.type, (count,), (_types.ITEM_BYTES[array.type],), array.address, array.readonly,
                                      *array.device, array.stream) for array in self.arrays])

    def needs_order(self):
        """Whether it matters in which order elements come."""
        texts = " ".join(self.fields.get(name) or "" for name in ("map", "where"))
        ops = (self.fields.get("op"), *self.fields.get("ops", ()))
        return ("argmin" in ops or "argmax" in ops or re.search(r"\bi\b", texts)
                or ("combine" in self.fields and not self.fields.get("commutative")))


def _stretched(mask, shape):
    """An Array of booleans seen in a larger shape, as NumPy broadcasts it: the same elements again and again."""
    more = len(shape) - len(mask.shape)
    if more < 0 or any(size not in (1, wanted) for size, wanted in zip(mask.shape, shape[max(more, 0):])):
        raise ValueError(f"where has shape {mask.shape}, which cannot be broadcast to that of the array, {shape}")
    strides = [0] * more + [0 if size == 1 else stride for size, stride in zip(mask.shape, mask.strides)]
    return _jitreduce.Array.at(mask, mask.type, shape, tuple(strides), mask.address, True, *mask.device, mask.stream)


def _turned(array, axis):
    """An Array whose elements along an axis are seen in the other direction."""
    strides = tuple(-stride if a == axis else stride for a, stride in enumerate(array.strides))
    first = array.address + (array.shape[axis] - 1) * array.strides[axis]
    return _jitreduce.Array.at(array, array.type, array.shape, strides, first, array.readonly, *array.device, array.stream)


def layout_of(call, axis, keepdims, apart=False):
    """The axes that are reduced, the order of all axes in memory, and how results lie: their shape, and their order. apart: see
    Call.order."""
    shape, reduced = call.shape, _layout.axes_of(axis, len(call.shape))
    order = call.order(reduced, apart)
    if _given.flag("keepdims", keepdims):
        return reduced, order, (tuple(1 if a in reduced else size for a, size in enumerate(shape)), order)
    kept = [a for a in range(len(shape)) if a not in reduced]
    return reduced, order, (tuple(shape[a] for a in kept), tuple(kept.index(a) for a in order if a not in reduced))


def _place_of(segment, lies):
    """The index of a result, by its number in memory."""
    (shape, order), place = lies, {}
    for a in reversed(order):
        segment, place[a] = divmod(segment, shape[a])
    return tuple(place[a] for a in range(len(shape)))


def _why_empty(call, axis, lies, text):
    """The message of an error for no elements, which begins as NumPy's where the array has none. text: the library's."""
    op, axes = text.partition(" ")[0], "" if axis is None else f" and axis={shown(axis)}"
    segment = lies[0] and re.search(r"segment (\d+)", text)
    if 0 in call.shape:
        begin = (f"attempt to get {op} of an empty sequence" if op in ("argmin", "argmax") else
                 f"zero-size array to reduction operation {op} which has no identity")
        begin += f": x has shape {call.shape}{axes}"
    elif segment:
        begin = f"{op} of no elements has no value: where or nan leaves none for the result at {_place_of(call.first_result + int(segment[1]), lies)}"
    else:
        begin = f"{op} of no elements has no value: where or nan leaves none"
    if "ops" in call.fields:
        another = f", or jitreduce.{op}(x, initial=...) gives it one" if op in ("min", "max") else ""
        return f"{begin}; omit {op} for an empty input{another}"
    return begin + ("; initial=... gives the result for no elements" if op in ("min", "max") else "")


def _explained(call, axis, lies, reduced):
    """What a function gives; its error for no elements says which are missing, and names a way out."""
    try:
        return reduced()
    except _jitreduce.EmptyInputError as error:
        error.args = (_why_empty(call, axis, lies, str(error)),)
        raise


def _split_of(call, reduced):
    """(the first axis that is kept, how many of its elements are reduced at a time) where the copy of host arrays with gaps would be
    large, as that of sliding windows is; None: it is not, or no axis is kept."""
    kept = [a for a, size in enumerate(call.shape) if a not in reduced and size > 1]
    if call.on_device or not kept or call.may_lie_apart() and _layout.view_of(call.arrays, range(len(call.shape)), reduced):
        return None
    sizes = [_types.ITEM_BYTES[array.type] for array in call.arrays]
    copied = sum(size for array, size in zip(call.arrays, sizes) if not _layout.order_of(array, size)[1]) * math.prod(call.shape)
    return (kept[0], max(1, call.shape[kept[0]] * PART_BYTES // copied)) if copied > PART_BYTES else None


def _reduce_parts(call, axis, keepdims, out, split):
    """The results of a call on host memory, of one part of an axis after the other."""
    spec, (at, step), reduced = call.spec(), split, _layout.axes_of(axis, len(call.shape))
    shape = tuple(1 if a in reduced else size for a, size in enumerate(call.shape) if _given.flag("keepdims", keepdims) or a not in reduced)
    lies = (shape, tuple(range(len(shape))))
    results = _host_results(call, spec, lies, out)
    each = math.prod(size for a, size in enumerate(call.shape) if a not in reduced and a != at)
    for first in range(0, call.shape[at], step):
        part = copy.copy(call)
        part.shape = tuple(min(step, size - first) if a == at else size for a, size in enumerate(call.shape))
        part.arrays = [_jitreduce.Array.at(array, array.type, part.shape, array.strides, array.address + first * array.strides[at], True,
                                           *array.device, array.stream) for array in call.arrays]
        part.in_c_order, part.first_result = True, first * each
        part.order(reduced)
        to = tuple(_jitreduce.Array.at(result, result.type, (part.shape[at] * each,), (_types.ITEM_BYTES[result.type],),
                                       result.address + first * each * _types.ITEM_BYTES[result.type], False, _device.CPU, 0, 0) for result in results)
        merged = _layout.merged(part.shape, tuple(range(len(part.shape))), reduced)
        _explained(part, axis, lies, lambda: _jitreduce.reduce_axes(part.context, spec, tuple(part.arrays), *merged, to))  # pylint: disable=cell-var-from-loop
    return (out,) if out is not None else tuple(map(call.kind.array, results))


def reduce(call, axis, keepdims, out):
    """The results of a call, one for each operator."""
    spec = call.spec()
    call.kind.check(spec.types)
    split = _split_of(call, _layout.axes_of(axis, len(call.shape)))
    if split is not None and not call.value and (out is None or len(spec.types) == 1):
        return _reduce_parts(call, axis, keepdims, out, split)
    if len(_layout.axes_of(axis, len(call.shape))) == len(call.shape):
        call.span()
    reduced, order, lies = layout_of(call, axis, keepdims, not (call.value and call.on_device))
    if out is not None and len(spec.types) > 1:
        raise ValueError("out: only with one operator")
    if call.value and (len(reduced) < len(call.shape) or _given.flag("keepdims", keepdims) or out is not None):
        raise ValueError("value=True: only for one result of all elements, without axis, keepdims and out")
    if call.on_device:
        return _explained(call, axis, lies, lambda: _launch.reduce(call, reduced, order, lies, out))
    if len(reduced) == len(call.shape):
        numbers = _explained(call, axis, lies, lambda: _jitreduce.reduce(call.context, spec, tuple(call.arrays), *(call.apart or ())))
        if call.value:
            return numbers
        if not _given.flag("keepdims", keepdims) and out is None:
            return tuple(map(call.kind.number, numbers, spec.types))
    else:
        numbers = None
    results = _host_results(call, spec, lies, out)
    if numbers is not None:
        for result, number in zip(results, numbers):
            result.store(number)
    elif 0 not in lies[0]:
        shape, axes, *strides = call.apart or _layout.merged(call.shape, order, reduced)
        _explained(call, axis, lies, lambda: _jitreduce.reduce_axes(call.context, spec, tuple(call.arrays), shape, axes, results, *strides))
    return (out,) if out is not None else tuple(map(call.kind.array, results))


def _host_results(call, spec, lies, out):
    wanted = wanted_of(spec, lies)
    if out is None:
        return tuple(one.make() for one in wanted)
    return (wanted[0].check(call.view(out, "out")),)


def number_of_nothing(call):
    """What a reduction of no elements gives: the number with which a scan begins."""
    nothing = tuple(_jitreduce.Array(array.type, (0,), (_types.ITEM_BYTES[array.type],)) for array in call.arrays)
    try:
        return _jitreduce.reduce(call.context, call.spec(), nothing)[0]
    except _jitreduce.EmptyInputError as error:
        error.args = (f"{str(error).partition(':')[0]}: a scan with include_initial begins with it; give initial",)
        raise


def scan(call, axis, lead, out, exclusive=False, by=None):
    """The result of a scan along an axis; lead: the value before the first element, or None. by: whether segments are of keys, and the
    Array of keys or offsets; None: there are no segments."""
    spec, shape = call.spec(), call.shape
    call.kind.check(spec.types)
    if axis is None:
        if len(shape) != 1:
            raise ValueError(f"an array of {len(shape)} dimensions needs an axis" if shape else
                             "an array without dimensions has no axis to scan: x.reshape(1) has one")
        axis = 0
    if call.value:
        raise ValueError("value=True: only for reductions of all elements")
    if isinstance(axis, (tuple, list)):
        raise TypeError(f"axis {shown(axis)}: a scan takes one axis, as a number")
    (axis,) = _layout.axes_of(axis, len(shape))
    order = call.order_of_scan(axis, out) if by is None else call.order()
    left = tuple(size + (a == axis and lead is not None) for a, size in enumerate(shape))
    at = order.index(axis)
    outer = inner = 1
    for place, a in enumerate(order):
        outer *= shape[a] if place < at else 1
        inner *= shape[a] if place > at else 1
    if call.on_device:
        return _launch.scan(call, (outer, shape[axis], inner), (left, order), (lead, exclusive), out, by)
    (result,) = _host_results(call, spec, (left, order), out)
    try:
        if by is None:
            _jitreduce.scan(call.context, spec, tuple(call.arrays), (outer, shape[axis], inner), result, lead, exclusive, *(call.apart or ()))
        else:
            _jitreduce.scan_pieces(call.context, spec, tuple(call.arrays), by[1], by[0], result, exclusive)
    except _jitreduce.EmptyInputError as error:
        error.args = (f"{str(error).partition(':')[0]}: the first results of a scan are of no elements if it is exclusive, or where or nan skips the first "
                      "elements: give initial",)
        raise
    return out if out is not None else call.kind.array(result)
