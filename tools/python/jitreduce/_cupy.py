"""CuPy's arrays, whose class has no exchange table: a capsule of their __dlpack__ costs as much as several reductions,
__cuda_array_interface__ little. That names the stream on which CuPy works, but no device, which CuPy's own members give.
"""

import functools
import sys

from . import _context, _types


def is_array(x):
    """Whether an array is of CuPy's own class."""
    return type(x).__module__ == "cupy" and hasattr(x, "__cuda_array_interface__")


@functools.lru_cache(maxsize=64)
def _dtype(kind):
    """CuPy's dtype of a type; None: it has none."""
    try:
        return sys.modules["cupy"].dtype(_types.ARRAY_API[kind])
    except TypeError:
        return None


class Way:
    """The short way of a reduction of one C-ordered array: its plan is found by type and device.

    prepare(x): the plan and the result's type; None: there is no short way.
    """

    def __init__(self, prepare):
        self._prepare, self._known, self._default = prepare, {}, None
        _context.at_close(self._known.clear)

    def _plan(self, x, key):
        if self._default is not _context.current():  # plans made before are not those of calls any more
            self._known.clear()
        if key not in self._known:
            made = self._prepare(x)
            dtype = made and _dtype(made[1])
            self._known[key] = (made[0], dtype) if dtype is not None else None
            self._default = _context.current()
        return self._known[key]

    def __call__(self, x, value):
        """The result as CuPy's array, or, value, as a number; None: the call is the function's."""
        interface = x.__cuda_array_interface__
        stream, count, device = interface.get("stream"), x.size, x.data.device_id
        if interface.get("strides") is not None or not stream or not count:
            return None
        known = self._known.get((interface["typestr"], device))
        if known is None or self._default is not _context.current():
            known = self._plan(x, (interface["typestr"], device))
        if known is None:
            return None
        plan, dtype = known
        if value:
            return plan.value_at(interface["data"][0], count, stream)
        out = sys.modules["cupy"].empty((), dtype)  # on CuPy's stream and device, which may be another one than the array's
        if out.data.device_id != device:
            return None
        return out if plan.run_at(interface["data"][0], count, out.data.ptr, stream) else None
