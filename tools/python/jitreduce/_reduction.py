"""Reductions of the caller's own: expressions instead of operators."""

from . import _engine, _functions, _given, _jitreduce, _types
from ._documented import checked, documented, members_documented, op_named


_EXAMPLES = {"combine": "a + b", "identity": "0", "where": "x > 2", "finish": "sqrt(a)"}


@members_documented("combine", "identity", "map", "map_type", "where", "finish", "commutative", "accumulate", "result", "correction")
class Reduction:
    """A reduction with expressions of your own: C that is compiled into the kernel.

    op           an operator's name, or a tuple of names (then a call returns a tuple); or, instead, `combine`
    {members}
    parameters   numbers that the expressions name; a call may give others under the same names

    >>> farthest = jitreduce.Reduction(combine="fabs(a) > fabs(b) ? a : b", identity="0")
    >>> farthest(array.array("d", [3, -7, 5]))
    -7.0
    >>> distance = jitreduce.Reduction("sum", map="(x - y) * (x - y)", finish="sqrt(a)")
    >>> distance(numpy.array([[1.0, 2.0], [0.0, 0.0]]), numpy.array([[4.0, 6.0], [0.0, 2.0]]), axis=1)
    array([5., 2.])
    """

    @checked
    def __init__(self, op=None, *, combine=None, identity=None, map=None, map_type=None, where=None, finish=None,
                 commutative=False, accumulate=None, result=None, correction=None, parameters=None):  # pylint: disable=redefined-builtin
        op = None if isinstance(op, str) and op == "custom" and (combine is not None or identity is not None) else op
        if (op is None) == (combine is None and identity is None):
            raise TypeError("a Reduction takes either an operator, or combine and identity")
        if op is None and (combine is None or identity is None):
            raise TypeError(f"an operator of your own needs combine and identity: {'combine' if combine is None else 'identity'} is missing")
        fields = {"combine": combine, "identity": identity, "map": map, "where": where, "finish": finish}
        for name, value in fields.items():
            if callable(value):
                raise TypeError(f"{name}={_given.shown(value)} is a function of Python: an expression is C, as text, \"{_EXAMPLES.get(name, 'x * x')}\"")
            if name == "where" and hasattr(value, "shape"):
                raise TypeError("where is an array, and a Reduction is made of expressions: pass a mask to the call, Reduction(...)(x, where=mask)")
            if isinstance(value, (int, float)):
                raise TypeError(f"{name}={_given.shown(value)} is a number: an expression is C, as text, {name}=\"{_given.shown(value)}\"")
        fields = {name: None if value is None else _given.text(name, value) for name, value in fields.items()}
        for name, dtype in (("map_type", map_type), ("accumulate", accumulate), ("result", result)):
            fields[name] = None if dtype is None else _types.of_dtype(dtype)
        fields["ddof"] = correction
        self._fields = {name: value for name, value in fields.items() if value is not None}
        if combine is not None:
            self._fields["op"] = "custom"
            self._fields["commutative"] = int(_given.flag("commutative", commutative))
        else:
            self._fields.update({"op": op_named(op)} if isinstance(op, str) else {"ops": _functions.ops_of(op)})
            _engine.check_ops(self._fields.get("ops") or (self._fields["op"],))
        self._parameters = dict(_given.pairs("parameters", parameters))

    def __repr__(self):
        return f"jitreduce.Reduction({', '.join(f'{name}={value!r}' for name, value in self._fields.items())})"

    @documented()
    def __call__(self, *arrays, axis=None, keepdims=False, where=None, initial=None, out=None, parameters=None,
                 **options):
        """Reduces up to four arrays of one shape, whose elements are read together as x, y, z and w."""
        if not 1 <= len(arrays) <= len(_engine.INPUTS):
            raise TypeError(f"a reduction takes 1 to {len(_engine.INPUTS)} arrays, not {len(arrays)}")
        options["parameters"] = {**self._parameters, **dict(_given.pairs("parameters", parameters))}
        call = _engine.Call(arrays, options, Reduction.__call__)
        call.fields.update(self._fields)
        call.take_where(where)
        call.take_initial(initial)
        results = _engine.reduce(call, axis, keepdims, out)
        return results if "ops" in self._fields else results[0]


_jitreduce.reduction(Reduction)


def fields_of(op, kind):
    """The members of the spec that an operator's name, several, or a Reduction stand for, over elements of a type."""
    if isinstance(op, Reduction):
        return op._fields
    if isinstance(op, str):
        return _functions.fields_of(op, kind)
    return {"ops": _functions.ops_of(op)}


def parameters_of(op, given):
    """The parameters of an operator, those that a call gives before those of a Reduction."""
    return {**(op._parameters if isinstance(op, Reduction) else {}), **dict(_given.pairs("parameters", given))}
