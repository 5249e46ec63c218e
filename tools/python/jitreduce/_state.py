"""States that are kept: added to, merged, stored, continued elsewhere, and finished."""

from . import _device, _engine, _given, _jitreduce, _types
from ._context import context_of
from ._documented import MEMBERS, check_names, checks_itself, members_documented, names_of, refuse
from ._reduction import Reduction, fields_of, parameters_of

TAKEN = ("where", *MEMBERS)


@members_documented(*TAKEN)
class State:
    """What a reduction has come to over all elements added so far, which may come in parts, on several machines.

    op           name of an operator, a tuple of them, or a Reduction; default: "sum"
    dtype        type of the elements, or one for each array that is read together; default: "float64"
    context      jitreduce.Context that does the work; default: the default context
    nan          "propagate" (default) or "ignore", which skips NaN
    exact        True: sums are those of exact arithmetic over all elements, in any order, rounded once; default: False
    parameters   numbers that expressions name
    {members}

    States can be merged when they have the same operators, types and expressions. The bytes of exact sums
    (jitreduce/state.h) are the same on every machine and in all versions; those of others are read by this version.

    >>> monday = jitreduce.State(("max", "argmax"), "float32").add(numpy.array([1, 7], "f4"))
    >>> jitreduce.State.from_bytes(monday.to_bytes()).add(numpy.array([9], "f4")).value()
    (9.0, 2)
    """

    def __init__(self, op="sum", dtype="float64", *, context=None, nan="propagate", exact=False, parameters=None, **members):
        exact = _given.flag("exact", exact)
        if exact and isinstance(op, Reduction) and "combine" in op._fields:
            raise ValueError("a Reduction with combine has no exact sums: use a Reduction with op")
        kinds = [_types.of_dtype(one) for one in (dtype if isinstance(dtype, (tuple, list)) else (dtype,))]
        names = (*names_of(type(self).__init__), *TAKEN)
        check_names(members, names, [name for name in names if name != "ddof"])
        self._made_of = {"op": op, "dtype": dtype, "nan": nan, "exact": exact, "parameters": parameters, **members}
        self._owner = context_of(context)
        if isinstance(op, str) and op == "dot" and len(kinds) == 1:
            kinds *= 2
        if not 1 <= len(kinds) <= len(_engine.INPUTS):
            raise TypeError(f"a state takes 1 to {len(_engine.INPUTS)} arrays, not {len(kinds)}")
        nothing = [_jitreduce.Array(kind, (0,), (_types.ITEM_BYTES[kind],)) for kind in kinds]
        self._kinds, self._options = kinds, {"nan": nan, "exact": exact, "parameters": parameters_of(op, parameters)}
        self._fields = {**fields_of(op, kinds[0]), **_engine.members_of(members)}
        self._spec = self._call(nothing, None).spec()
        self._state = _jitreduce.State(self._owner._context, self._spec)

    def _call(self, arrays, stream):
        call = _engine.Call(arrays, {"context": self._owner, "stream": stream, **self._options})
        call.fields.update(self._fields)
        return call

    def __repr__(self):
        return f"<jitreduce.{type(self).__name__} {self._made_of['op']!r} of {self.elements} elements>"

    @classmethod
    def from_bytes(cls, data, /, **members):
        """The state that to_bytes wrote. members: arguments of ExactState() that the bytes do not contain: expressions and
        their parameters, the type of the result, the context."""
        written = _given.data("data", data)
        try:
            ops, kinds, exact, skips_nan = _jitreduce.state_look(written)
        except _jitreduce.StateError as error:
            error.args = (f"data: {str(error).replace('its', 'the', 1)}",)
            raise
        dtypes = [_types.ARRAY_API.get(kind, kind) for kind in kinds]
        given = {"op": ops[0] if len(ops) == 1 else ops, "dtype": dtypes if len(dtypes) > 1 else dtypes[0],
                "nan": "ignore" if skips_nan else "propagate", "exact": bool(exact)}
        return cls(**{**given, **members}).merge(data)

    def __reduce__(self):
        return _restored, (type(self), self._made_of, self.to_bytes())

    @property
    def elements(self):
        """The number of elements added so far."""
        return self._state.elements

    @checks_itself
    def add(self, *arrays, stream=None, **unknown):
        """Adds the elements of an array, or of as many arrays as the state takes. stream: for arrays on a GPU. Returns the
        state."""
        if unknown:
            refuse(State.add, (), unknown)
        if len(arrays) != len(self._kinds):
            raise TypeError(f"the state takes {len(self._kinds)} array{'s' if len(self._kinds) > 1 else ''}, not {len(arrays)}")
        call = self._call(arrays, stream)
        found = [array.type for array in call.arrays]
        if found != self._kinds:
            raise TypeError(f"the state takes elements of {', '.join(_types.ARRAY_API[kind] for kind in self._kinds)}, not of "
                            f"{', '.join(_types.ARRAY_API[kind] for kind in found)}")
        call.spec()
        _engine.layout_of(call, None, False)
        if call.on_device:
            for array in call.arrays:
                _device.order_streams(call.owner, array.stream, call.stream)
        self._state.add(tuple(call.arrays), call.stream)
        return self

    def merge(self, other, /):
        """Adds another state, or the bytes of one, which stays as it is. Returns the state."""
        self._state.add_bytes(other.to_bytes() if isinstance(other, State) else _given.data("other", other))
        return self

    def value(self):
        """The result over all elements so far; for several operators a tuple. The state stays as it is."""
        numbers = self._state.value()
        return numbers if "ops" in self._fields else numbers[0]

    def to_bytes(self):
        """The state as bytes: of exact sums the same for the same elements, in whatever order and wherever they were added."""
        return self._state.to_bytes()


@members_documented(*TAKEN)
class ExactState(State):
    """A State with exact=True: sums are those of exact arithmetic over all elements, in any order, rounded once.

    op           sum mean dot sumsq norm norm1 norm2 var std, what never rounds, a tuple of these, or a Reduction with one;
                 default: "sum"
    dtype        type of the elements, or one for each array that is read together; default: "float64"
    context      jitreduce.Context that does the work; default: the default context
    nan          "propagate" (default) or "ignore", which skips NaN
    exact        True
    parameters   numbers that expressions name
    {members}

    >>> monday, tuesday = jitreduce.ExactState(), jitreduce.ExactState()
    >>> _ = monday.add(numpy.array([1e308, 3.0, 1e308])).add(numpy.array([0.5]))
    >>> kept = tuesday.add(numpy.array([-1e308, -1e308])).to_bytes()
    >>> monday.merge(kept).value(), monday.elements
    (3.5, 6)
    >>> jitreduce.ExactState.from_bytes(kept).value()
    -inf
    >>> jitreduce.ExactState(("mean", "std"), "float32").add(numpy.array([1, 3], "f4")).value()
    (2.0, 1.0)
    """

    def __init__(self, op="sum", dtype="float64", *, context=None, nan="propagate", exact=True, parameters=None, **members):
        super().__init__(op, dtype, context=context, nan=nan, exact=exact, parameters=parameters, **members)


def _restored(cls, made_of, data):
    return cls(**made_of).merge(data)
