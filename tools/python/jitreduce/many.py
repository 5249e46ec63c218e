"""Many arrays in one launch: each is reduced, and all of them together, and then scaled by what was found.

>>> tensors = [numpy.array([3, 0], "f4"), numpy.array([4], "f4")]
>>> each, total = jitreduce.many.norm(tensors)
>>> each, total.item()
(array([3., 4.], dtype=float32), 5.0)
"""

import collections
import math
import numbers
import sys
import types

from . import _device, _engine, _functions, _given, _jitreduce, _types
from ._context import context_of, kept
from ._given import shown
from ._reduction import fields_of, parameters_of

#: What a call finds: of each array, and of all together; of several operators a tuple of both.
Results = collections.namedtuple("Results", "each total")
NORMS = {1: "norm1", 2: "norm2", math.inf: "norminf"}
_FLOATS = ("f16", "bf16", "f32", "f64")


@kept(32)
def _plan_of(context, spec, table):
    """The plan of a spec and a table; made once."""
    return _jitreduce.Plan(context, spec, "arrays", table, None)


class _Call:
    """Arrays, and where they are."""

    def __init__(self, arrays, stream, context, writes=False):
        self.arrays = _given.items("arrays", arrays)
        asked = _device.stream_number(stream)

        def see(x, index):
            return _device.view(x, f"arrays[{index}]", asked)

        self.table, self.kept, kinds, *device, own = _jitreduce.many_table(self.arrays, see, writes)
        self.first = self.arrays[0] if self.arrays else None
        self.device = tuple(device) if self.arrays else (_device.CPU, 0)
        self.on_device = self.device[0] != _device.CPU
        if stream is not None and not self.on_device:
            raise ValueError("stream: only for arrays in device memory; these are in host memory")
        self.stream = (asked or own or 1) if self.on_device else None
        owner = None if context is None else context_of(context)
        if self.on_device:
            owner = _device.context_for(owner, types.SimpleNamespace(device=self.device))
        self.owner = context_of(owner)
        self.context = self.owner._context  # pylint: disable=protected-access
        self.type = self._type_of(kinds)

    def _type_of(self, kinds):
        """The type of the spec that takes all arrays."""
        if not kinds:
            return "f32"
        if len(kinds) == 1 and not kinds <= {"f16", "bf16"}:
            return kinds.pop()
        if not kinds <= set(_FLOATS):
            names = ", ".join(sorted(_types.ARRAY_API[kind] for kind in kinds))
            raise TypeError(f"arrays of {names}: floats of 16 to 64 bits may be mixed, other types not")
        return "f64" if "f64" in kinds else "f32"

    def spec_of(self, fields):
        fields = {"type": self.type, **fields}
        return _engine.spec_of(tuple(fields.items()))

    def room(self, spec):
        """Memory for the results: its owner, and the Array that sees all of it."""
        count, item = len(self.arrays) + 1, _types.ITEM_BYTES[spec.types[0]]
        if not self.on_device:
            words = (count * spec.bytes + 15) // 16 * 2
            room = _jitreduce.Array("u64", (words,), (8,))
            return room, room
        cls = type(self.first)
        if spec.bytes == item and _jitreduce.exchanges(cls):
            memory = _jitreduce.Array.like(cls, spec.types[0], count, self.device, self.stream)
            device = self.device
        else:
            memory = _jitreduce.Memory(self.context, count * spec.bytes, self.stream)
            device = self.owner.dlpack_device
        return memory, _jitreduce.Array.at(memory, "u8", (count * spec.bytes,), (1,), memory.address or 0, False, *device, self.stream)

    def run(self, spec, room):
        if self.on_device:
            _plan_of(self.context, spec, self.table).run_many(room, self.stream, type(self.first))
        else:
            _jitreduce.many(self.context, spec, self.table, room)

    def results(self, spec, memory, room):
        count, pairs = len(self.arrays), []
        for kind, offset in zip(spec.types, spec.offsets):
            places = ((count,), (spec.bytes,), 0), ((), (), count * spec.bytes)
            pairs.append([self._array(memory, kind, shape, strides, room.address + offset + begin, room.device) for shape, strides, begin in places])
        each, total = zip(*pairs)
        return Results(each[0], total[0]) if len(pairs) == 1 else Results(each, total)

    def _array(self, memory, kind, shape, strides, address, device):
        array = _jitreduce.Array.at(memory, kind, shape, strides, address, False, *device, self.stream or 0)
        if self.on_device and isinstance(memory, _jitreduce.Array):
            return array.as_class(type(self.first))
        if self.on_device:
            return _device.like(self.first, _device.of_memory(self.owner, memory, array))
        made = _engine.Kind(self.first)
        if shape or made.exchanges:
            return made.array(array)
        return made.number(memoryview(array).tolist() if kind not in _types.SMALL_FLOATS else None, kind)


def _fields(call, op, where, parameters, counts):
    fields = dict(fields_of(op, call.type))
    if where is not None:
        fields["where"] = _given.text("where", where)
    given = parameters_of(op, parameters)
    if given:
        fields["parameters"] = _engine.parameter_pairs(given)
    if _given.flag("counts", counts):
        fields["kept"] = 1
    return fields


def reduce(arrays, op="sum", *, where=None, parameters=None, counts=False, stream=None, context=None):
    """Reduces each array, and all of them together, in one launch.

    arrays       a list of arrays: of one type, or floats of several types
    op           an operator's name, a tuple of names, or a jitreduce.Reduction; default: "sum"
    where        elements that count: an expression ("isfinite(x)")
    parameters   numbers that expressions name
    counts       True: also return how many elements counted
    stream       CUDA stream to work on, for arrays on a GPU; default: the stream on which their library works
    context      jitreduce.Context that does the work; default: the default context, or the one of the arrays' device

    >>> x = numpy.array([1, numpy.inf, 2]), numpy.array([5], "f4")
    >>> found = jitreduce.many.reduce(x, "max", where="isfinite(x)", counts=True)
    >>> [total.item() for total in found.total]
    [5.0, 3]
    """
    call = _Call(arrays, stream, context)
    spec = call.spec_of(_fields(call, op, where, parameters, counts))
    memory, room = call.room(spec)
    call.run(spec, room)
    return call.results(spec, memory, room)


class Plan:
    """Arrays in device memory that are reduced again and again where they lie, each run in one launch.

    arrays       a list of arrays: of one type, or floats of several types
    op           an operator's name, a tuple of names, or a jitreduce.Reduction; default: "sum"
    expression   what replaces each element then, as in apply_; default: elements stay
    where        elements that count: an expression ("isfinite(x)")
    parameters   numbers that expressions name
    counts       True: also count the elements that counted
    stream       CUDA stream of all runs; default: the stream on which the arrays' library works now
    context      jitreduce.Context that does the work; default: the one of the arrays' device

    >>> x = jitreduce.DeviceArray.of(numpy.array([3.0, 4.0]))
    >>> plan = jitreduce.many.Plan([x], "norm")
    >>> plan.run().total.item()
    5.0
    >>> x.write(numpy.array([6.0, 8.0]))
    >>> plan.run().total.item()
    10.0
    """

    def __init__(self, arrays, op="sum", *, expression=None, where=None, parameters=None, counts=False, stream=None, context=None):
        call = _Call(arrays, stream, context, expression is not None)
        if not call.on_device:
            raise ValueError("a plan needs arrays in device memory: jitreduce.DeviceArray.of(x) copies one there")
        fields = _fields(call, op, where, parameters, counts)
        spec = call.spec_of(fields)
        memory, self._room = call.room(spec)
        #: What the last run found: the arrays are the same for all runs.
        self.results = call.results(spec, memory, self._room)
        if expression is not None:
            spec = call.spec_of({**fields, "apply": _given.text("expression", expression)})
        self._plan = _jitreduce.Plan(call.context, spec, "arrays", call.table, None)
        self._stream, self._class, self._kept = call.stream, type(call.first), (call.arrays, call.kept)

    def run(self):
        """Enqueues a run on the stream, and returns `results`, which it writes."""
        self._plan.run_many(self._room, self._stream, self._class)
        return self.results


def _norm_of(ord):
    try:
        return NORMS[ord]
    except (KeyError, TypeError):
        raise ValueError(f"ord={shown(ord)}: must be 1, 2 or infinity") from None


def norm(arrays, ord=2, *, stream=None, context=None):
    """The norm of each array, and that of all of them as one vector, in one launch.

    arrays    a list of arrays: floats of one type or of several
    ord       1, 2 (default) or infinity
    stream    CUDA stream to work on, for arrays on a GPU; default: the stream on which their library works
    context   jitreduce.Context that does the work; default: the default context, or the one of the arrays' device

    >>> jitreduce.many.norm([numpy.array([3.0, -4.0]), numpy.array([12.0])], ord=1).total.item()
    19.0
    """
    return reduce(arrays, _norm_of(ord), stream=stream, context=context)


def apply_(arrays, expression, op="sum", *, where=None, parameters=None, stream=None, context=None):
    """Replaces each element by an expression of it and of what the arrays were reduced to. The expression knows x, the index i in
    the array, the number n of its elements, the result r of the array, and the result `all` of all arrays; of several operators
    r0, r1, ... and all0, all1, ... The results, of the elements before they changed.

    arrays       a list of arrays that may be written: of one type, or floats of several types
    expression   the value of an element, as "x / all"
    op           an operator's name, a tuple of names, or a jitreduce.Reduction; default: "sum"
    where        elements that count for the results: an expression ("x > 3")
    parameters   numbers that expressions name
    stream       CUDA stream to work on, for arrays on a GPU; default: the stream on which their library works
    context      jitreduce.Context that does the work; default: the default context, or the one of the arrays' device

    >>> x, y = numpy.array([1.0, 2.0]), numpy.array([5.0])
    >>> float(jitreduce.many.apply_([x, y], "x / all").total), x, y
    (8.0, array([0.125, 0.25 ]), array([0.625]))
    """
    call = _Call(arrays, stream, context, True)
    fields = _fields(call, op, where, parameters, False)
    spec, applied = call.spec_of(fields), call.spec_of({**fields, "apply": _given.text("expression", expression)})
    memory, room = call.room(spec)
    call.run(applied, room)
    return call.results(spec, memory, room)


def _gradients(parameters):
    """What is scaled: the gradients of parameters that have one, and arrays that have no such member."""
    if hasattr(parameters, "grad") or hasattr(parameters, "dtype"):
        parameters = (parameters,)
    found = []
    for one in _given.items("parameters", parameters):
        gradient = getattr(one, "grad", one)
        if gradient is not None:
            found.append(gradient)
    return found


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """Scales gradients in place so that their norm, as one vector, is max_norm at most, as torch.nn.utils.clip_grad_norm_ does:
    by max_norm / (norm + 1e-6) where that is below 1. The norm before.

    parameters           a list of tensors, or one: the gradient `grad` of each that has one is scaled; of arrays without such a
                         member, as CuPy's, the array itself
    max_norm             the greatest norm that gradients may have
    norm_type            1, 2 (default) or infinity
    error_if_nonfinite   True: a norm that is infinite or NaN is a RuntimeError, and nothing is scaled; it waits for the norm

    >>> gradients = [numpy.array([3.0, 0.0]), numpy.array([4.0])]
    >>> float(jitreduce.many.clip_grad_norm_(gradients, 1.0)), gradients[1].round(4)
    (5.0, array([0.8]))
    """
    gradients, op = _gradients(parameters), _norm_of(norm_type)
    if isinstance(max_norm, bool) or not isinstance(max_norm, numbers.Real):
        max_norm = max_norm.item() if getattr(max_norm, "shape", None) == () else max_norm
        if isinstance(max_norm, bool) or not isinstance(max_norm, numbers.Real):
            raise TypeError(f"max_norm={shown(max_norm)} is not a number")
    if not gradients:
        torch = sys.modules.get("torch")
        return torch.tensor(0.0) if torch else 0.0
    call = _Call(gradients, None, None, True)
    fields = {"op": op}
    spec = call.spec_of(fields)
    memory, room = call.room(spec)
    if _given.flag("error_if_nonfinite", error_if_nonfinite):
        call.run(spec, room)
        total = float(call.results(spec, memory, room).total)
        if not math.isfinite(total):
            raise RuntimeError(f"the norm of order {norm_type} of the gradients is not finite, so they are not scaled: "
                               "error_if_nonfinite=False scales them by it")
    wide = call.type == "f64"
    scale = f"most / (all + {'1e-6' if wide else '1e-6f'})"
    one = "1.0" if wide else "1.0f"
    fields.update(apply=f"x * ({scale} > {one} ? {one} : {scale})", parameters=(("most", (call.type, float(max_norm))),))
    call.run(call.spec_of(fields), room)
    return call.results(spec, memory, room).total
