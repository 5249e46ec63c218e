"""Plans, streams and graphs: calls that are prepared once and enqueued on a stream many times."""

import contextlib

from . import _device, _engine, _given, _jitreduce, _layout, _types
from ._context import context_of
from ._documented import MEMBERS, MISSING, check_names, checked, checks_itself, members_documented, names_of, refuse
from ._reduction import fields_of
from ._results import wanted_of


def _check_place(array, name):
    """An array, which must be in device memory."""
    if array.device[0] == _device.CPU:
        made = "jitreduce.DeviceArray(plan.shape, plan.dtype) makes one there" if name == "out" else f"jitreduce.DeviceArray.of({name}) copies it there"
        raise ValueError(f"{name} is in host memory, and a plan works in device memory: {made}")
    return array


@members_documented(*MEMBERS)
class Plan:
    """A reduction of arrays in device memory that is prepared once. A run allocates nothing, waits for nothing, and can be
    captured into a CUDA graph.

    op           an operator's name, a tuple of names, or a jitreduce.Reduction
    like         1 to 4 arrays with the type, shape and strides that the arrays of runs will have
    axis         axes to reduce, as in jitreduce.sum; default: all elements
    keepdims     True: reduced axes stay, with length 1
    where        an expression, or an array of booleans; then each run takes one, too
    initial      a value combined with the result once
    nan          "propagate" (default) or "ignore", which skips NaN
    accuracy     "fast" (default), "exact" or "reproducible"; exact=True: accuracy="exact"
    parameters   numbers that expressions name
    context      jitreduce.Context that does the work; default: the one of the arrays' device
    {members}

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
            raise TypeError(f"a plan takes 1 to {len(_engine.INPUTS)} arrays, not {len(like)}")
        options = ("context", "nan", "parameters", "exact", "accuracy")
        names = (*names_of(Plan.__init__), *options, *MEMBERS)
        check_names(members, names, [name for name in names if name != "ddof"])  # correction, as NumPy and C call it
        call = _engine.Call(like, {word: members.pop(word) for word in options if word in members})
        if not call.on_device:
            raise ValueError("a plan needs arrays in device memory: jitreduce.DeviceArray.of(x) copies one there")
        call.fields.update(fields_of(op, call.fields["type"]))
        call.fields.update(_engine.members_of(members))
        call.take_where(where)
        call.take_initial(initial)
        self._masked = len(call.arrays) > len(like)
        self._spec, self._like = call.spec(), call.arrays
        self._context = call.owner
        if len(self._spec.types) > 1 and axis is not None:
            raise ValueError("a plan with several operators reduces all elements: omit axis")
        call.stays = True
        reduced, order, lies = _engine.layout_of(call, axis, keepdims, len(self._spec.types) == 1)
        if call.copied or self._masked and call.stretched:
            raise ValueError("a plan reads arrays where they lie, which it cannot do by reproducible accuracy, several operators or algorithm= where "
                             "arrays have gaps or another order, nor with a where of another shape: pass a copy")
        whole = len(reduced) == len(call.shape)
        shape, axes, *strides = call.apart or ((None, ()) if whole else _layout.merged(call.shape, order, reduced))
        self._plan = _jitreduce.Plan(call.context, self._spec, shape, axes, None, *strides)
        self._waits = whole and call.apart is not None  # for a result in device memory
        self._wanted = wanted_of(self._spec, lies)[0]

    @property
    def shape(self):
        """Shape of the results."""
        return self._wanted.shape

    @property
    def dtype(self):
        """Type of the first operator's results, by its name in the array API."""
        return _types.ARRAY_API[self._wanted.type]

    def _see(self, arrays, where, stream):
        if (where is not None) != self._masked:
            raise TypeError("the plan was made with where=mask: pass an array of booleans as where" if self._masked else
                            "the plan was made without where=mask: jitreduce.Plan(op, x, where=mask)")
        wanted = len(self._like) - self._masked
        if len(arrays) != wanted:
            raise TypeError(f"the plan takes {wanted} array{'s' if wanted > 1 else ''}, not {len(arrays)}")
        arrays += (where,) if self._masked else ()
        names = (*_engine.INPUTS[:wanted], "where")
        seen = tuple(_device.view(x, name, stream) for x, name in zip(arrays, names))
        for name, array, like in zip(names, seen, self._like):
            _check_place(array, name)
            if (array.type, array.shape, array.strides) != (like.type, like.shape, like.strides):
                raise ValueError(f"the plan was made for {_types.ARRAY_API[like.type]}, shape {like.shape} and strides "
                                 f"{like.strides}; this array has {_types.ARRAY_API[array.type]}, {array.shape} and {array.strides}")
        return seen, stream or seen[0].stream or 1

    @checks_itself
    def run(self, *arrays, out=MISSING, where=None, stream=None, **unknown):
        """Enqueues a run on a stream and returns.

        arrays: like those that the plan was made for. out: an array of the plan's shape and dtype. where: an array of
        booleans, for a plan that was made with one. stream: default: the stream on which the first array was made."""
        if unknown or out is MISSING:
            refuse(Plan.run, (), unknown)
            raise TypeError("run needs out, an array for the result: run(x, out=y); value(x) returns a number")
        seen, stream = self._see(arrays, where, _device.stream_number(stream))
        target = self._wanted.check(_check_place(_device.view(out, "out", stream), "out"))
        self._plan.run(seen, target, stream, type(arrays[0]))

    @checks_itself
    def value(self, *arrays, where=None, stream=None, **unknown):
        """Runs the plan, waits, and returns the result as a Python number; for several operators a tuple. The arguments are
        those of run."""
        if unknown:
            refuse(Plan.value, (), unknown)
        seen, stream = self._see(arrays, where, _device.stream_number(stream))
        if not self._waits:
            return self._plan.value(seen, stream)
        out = _device.DeviceArray(self.shape, self.dtype, context=self._context)
        self._plan.run(seen, self._wanted.check(_device.view(out, "out", stream)), stream, type(arrays[0]))
        self._context._context.wait(stream)  # pylint: disable=protected-access
        return out.item()

    def stats(self):
        """A dict with what it cost to make the plan, and how it is tuned.

        >>> x = jitreduce.DeviceArray.of(numpy.ones(1000, "f4"))
        >>> jitreduce.Plan("max", x, block=128).stats()["block"]
        128
        """
        return self._plan.stats()


class Stream:
    """A CUDA stream of a context (default: the default context). Other libraries take it by __cuda_stream__.

    >>> stream = jitreduce.Stream()
    >>> x = jitreduce.DeviceArray.of(numpy.arange(4))
    >>> total = jitreduce.sum(x, stream=stream)
    >>> stream.wait()
    >>> total.numpy()
    array(6)
    """

    @checked
    def __init__(self, *, context=None):
        self._context = context_of(context)
        self._stream = _jitreduce.Stream(self._context._context)

    @property
    def number(self):
        """CUDA's handle, as a number."""
        return self._stream.number

    def __cuda_stream__(self):
        return 0, self.number

    def wait(self):
        """Waits until all work that was enqueued on the stream is done."""
        self._context._context.wait(self.number)

    @contextlib.contextmanager
    def capture(self):
        """A context manager: work that is enqueued on the stream inside the with statement is not run but becomes a Graph.
        Nothing may wait for the stream meanwhile."""
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
    """Captured work, which can be launched any number of times; Stream.capture makes one. The arrays in it must live as
    long as the graph."""

    @checked
    def __init__(self, stream):
        if not isinstance(stream, Stream):
            raise TypeError(f"{_given.shown(stream)} is not a jitreduce.Stream: Stream.capture makes a Graph")
        self._stream, self._graph = stream, None

    @checks_itself
    def launch(self, stream=None, *more, **unknown):
        """Enqueues the work on a stream; default: the stream from which it was captured."""
        if more or unknown:
            refuse(Graph.launch, more, unknown)
        if self._graph is None:
            raise ValueError("the capture has not ended: leave the with statement first")
        self._graph.launch(_device.stream_number(self._stream if stream is None else stream))
