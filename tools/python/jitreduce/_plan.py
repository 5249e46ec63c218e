"""Plans, streams and graphs: calls that are prepared once and put on a stream again and again."""

import contextlib

from . import _device, _engine, _given, _jitreduce, _layout, _types
from ._context import context_of
from ._reduction import fields_of
from ._results import wanted_of


class Plan:
    """A reduction of arrays in device memory that is prepared once.

    op: an operator's name, several, or a Reduction. like: arrays of the type, shape and strides that runs will have.
    axis, keepdims, where, initial, and the members of a spec (accumulate, result, nan, ddof, algorithm, ...) as in calls;
    where may be an expression, or an array of booleans, of which each run then has one. A run allocates
    nothing, waits for nothing and can be captured into a CUDA graph.

    >>> x = jitreduce.DeviceArray.of(numpy.arange(6.0).reshape(2, 3))
    >>> plan = jitreduce.Plan("sum", x, axis=1)
    >>> out = jitreduce.DeviceArray(plan.shape, plan.dtype)
    >>> stream = jitreduce.Stream()
    >>> with stream.capture() as graph:
    ...     plan.run(x, out=out, stream=stream)
    >>> graph.launch(stream)
    >>> stream.wait()
    >>> out.numpy()
    array([ 3., 12.])
    >>> jitreduce.Plan("max", x, where="x < limit", parameters={"limit": 5}, initial=-1).value(x)
    4.0
    """

    def __init__(self, op, *like, axis=None, keepdims=False, where=None, initial=None, **members):
        if not 1 <= len(like) <= len(_engine.INPUTS):
            raise TypeError(f"a plan is of 1 to {len(_engine.INPUTS)} arrays, not {len(like)}")
        call = _engine.Call(like, {word: members.pop(word) for word in ("context", "nan", "parameters", "exact", "accuracy") if word in members})
        if not call.on_device:
            raise ValueError("plans are of arrays in device memory: jitreduce.DeviceArray.of(x) copies there")
        call.fields.update(fields_of(op, call.fields["type"]))
        call.fields.update(members)
        call.take_where(where)
        call.take_initial(initial)
        self._masked = len(call.arrays) > len(like)
        self._spec, self._like = call.spec(), call.arrays
        self._context = call.owner
        if len(self._spec.types) > 1 and axis is not None:
            raise ValueError("a plan of several operators is of all elements, for its value")
        reduced, order, lies = _engine.layout_of(call, axis, keepdims)
        whole = len(reduced) == len(call.shape)
        merged = (None, ()) if whole else _layout.merged(call.shape, order, reduced)
        self._plan = _jitreduce.Plan(call.context, self._spec, *merged, None)
        self._wanted = wanted_of(self._spec, lies)[0]

    @property
    def shape(self):
        """That of the results."""
        return self._wanted.shape

    @property
    def dtype(self):
        """The type of the first operator's results by its name in the array API."""
        return _types.ARRAY_API[self._wanted.type]

    def _see(self, arrays, where, stream):
        if (where is not None) != self._masked:
            raise TypeError("the plan has a where of elements: pass an array of booleans" if self._masked else
                            "the plan has no where of elements: jitreduce.Plan(op, x, where=mask)")
        wanted = len(self._like) - self._masked
        if len(arrays) != wanted:
            raise TypeError(f"the plan is of {wanted} array{'s' if wanted > 1 else ''}, not {len(arrays)}")
        arrays += (where,) if self._masked else ()
        names = (*_engine.INPUTS[:wanted], "where")
        seen = tuple(_device.view(x, name, stream) for x, name in zip(arrays, names))
        for array, like in zip(seen, self._like):
            if (array.type, array.shape, array.strides) != (like.type, like.shape, like.strides):
                raise ValueError(f"the plan is of arrays of {like.type}, shape {like.shape} and strides {like.strides}; "
                                 f"this one is of {array.type}, {array.shape} and {array.strides}")
        return seen, stream or seen[0].stream or 1

    def run(self, *arrays, out, where=None, stream=None):
        """Puts a run on a stream; out: an array of the plan's shape and dtype. where: of a plan that was made with an array
        of booleans, another one like it. Nothing is waited for but the stream."""
        seen, stream = self._see(arrays, where, _device.stream_number(stream))
        target = self._wanted.check(_device.view(out, "out", stream))
        self._plan.run(seen, target, stream, type(arrays[0]))

    def value(self, *arrays, where=None, stream=None):
        """The result, or a tuple of several operators' results, as numbers of Python, for which it waits."""
        seen, stream = self._see(arrays, where, _device.stream_number(stream))
        return self._plan.value(seen, stream)

    def stats(self):
        """What making the plan cost and how it was tuned, as a dict.

        >>> x = jitreduce.DeviceArray.of(numpy.ones(1000, "f4"))
        >>> jitreduce.Plan("max", x, block=128).stats()["block"]
        128
        """
        return self._plan.stats()


class Stream:
    """A CUDA stream of a context. Other libraries take it by __cuda_stream__.

    >>> stream = jitreduce.Stream()
    >>> x = jitreduce.DeviceArray.of(numpy.arange(4))
    >>> total = jitreduce.sum(x, stream=stream)
    >>> stream.wait()
    >>> total.numpy()
    array(6)
    """

    def __init__(self, *, context=None):
        self._context = context_of(context)
        self._stream = _jitreduce.Stream(self._context._context)

    @property
    def number(self):
        """CUDA's handle."""
        return self._stream.number

    def __cuda_stream__(self):
        return 0, self.number

    def wait(self):
        """Waits until all that was put on it is done."""
        self._context._context.wait(self.number)

    @contextlib.contextmanager
    def capture(self):
        """What is put on the stream within becomes a Graph, and is not run. Nothing may wait for the stream meanwhile."""
        graph = Graph(self)
        self._stream.begin()
        try:
            yield graph
        except BaseException:
            with contextlib.suppress(_jitreduce.Error):
                self._stream.end()
            raise
        graph._graph = self._stream.end()


class Graph:
    """Captured work, which can be launched as often as wanted: what Stream.capture gives. Arrays that are in it must
    live as long as it does."""

    def __init__(self, stream):
        if not isinstance(stream, Stream):
            raise TypeError(f"{_given.shown(stream)} is no jitreduce.Stream: Stream.capture gives a Graph")
        self._stream, self._graph = stream, None

    def launch(self, stream=None):
        """Puts the work on a stream; None: that of which it was captured."""
        if self._graph is None:
            raise ValueError("the capture has not ended: leave the with statement first")
        self._graph.launch(_device.stream_number(self._stream if stream is None else stream))
