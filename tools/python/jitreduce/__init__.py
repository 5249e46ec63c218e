"""Reductions and scans of arrays by kernels that are compiled at run time: on a GPU, or on a PTX simulator without one.

>>> x = numpy.array([[3, 1, 4], [1, 5, 9]], "f4")
>>> jitreduce.max(x, axis=1)
array([4., 9.], dtype=float32)
>>> jitreduce.mean(x, where="x > 1").item()
5.25

Names and meanings are those of the array API standard (https://data-apis.org/array-api/). An array is any object that
exports its memory: NumPy, PyTorch, CuPy, JAX, Numba, array.array, ... For NumPy arrays the results are NumPy's; for other
host arrays a single result is a Python number, and several are an array of the same library, or a memoryview. Arrays on
a GPU give arrays of the same class, on the same GPU. An array with gaps between its elements may be copied for the time
of the call, no other one. Errors of the library are subclasses of jitreduce.Error.

Where to begin: help(jitreduce.sum) lists the arguments that most functions share, help(jitreduce.Reduction) shows
expressions of your own. The manual is include/manual/python.md in the source, share/doc/jitreduce/manual/python.md where
the library is installed.
"""

import atexit as _atexit

from . import _apply, _context, _documented, _functions, _jitreduce, _more, _scans, many
from ._apply import apply, layer_norm, log_softmax, minmax_scale, normalize, rms_norm, softmax, zscore
from ._context import Context, default_context, doctor, set_default_context, variables
from ._functions import all, any, argmax, argmin, count_nonzero, dot, logsumexp, max, mean, min, minmax, norm, prod, reduce, std, sum, var
from ._jitreduce import Error
from ._device import DeviceArray
from ._state import ExactState, State
from ._groups import group_by, reduce_by_key
from ._kernel import Kernel
from ._more import (average, corrcoef, correlation, count, cov, covariance, nanargmax, nanargmin, nanmax, nanmean, nanmin, nanprod, nanstd, nansum,
                    nanvar, ptp)
from ._plan import Graph, Plan, Stream
from ._reduction import Reduction
from ._scans import cumulative_max, cumulative_min, cumulative_prod, cumulative_sum, scan
from ._segments import reduce_segments

for _name in (*_functions.QUICK, *_functions.REPLAYED, *_more.REPLAYED, *_scans.REPLAYED, *_apply.REPLAYED, "reduce_by_key"):
    globals()[_name] = _jitreduce.Quick(globals()[_name], _functions.plan_for(_name) if _name in _functions.QUICK else None)
    _context.at_close(globals()[_name]._forget)
del _name
Reduction.__call__ = _jitreduce.QuickMethod(Reduction.__call__, None)
_context.at_close(_atexit.register(Reduction.__call__._forget))  # at exit: records hold Reductions, whose class holds the records


def __getattr__(name):
    """Raises AttributeError, with the name that is meant where another library calls a function differently."""
    if name in _documented.ABSENT:
        raise AttributeError(f"module 'jitreduce' has no attribute {name!r}: {_documented.ABSENT[name]}")
    near = _documented.OTHER_NAMES.get(name) or (None if name.startswith("_") else _documented.nearest(name, __all__))
    raise AttributeError(f"module 'jitreduce' has no attribute {name!r}{f': did you mean {near}?' if near else ''}")


__version__ = _jitreduce.version

#: The classes of exceptions: one subclass of Error per status of the library.
ERRORS = tuple(value for name, value in sorted(vars(_jitreduce).items()) if name.endswith("Error") and name != "Error")
globals().update({error.__name__: error for error in ERRORS})

__all__ = ["Context", "DeviceArray", "Error", "ExactState", "Graph", "Kernel", "Plan", "Reduction", "State", "Stream", "default_context", "doctor", "set_default_context", "variables",
           "all", "any", "apply", "argmax", "argmin", "average", "corrcoef", "correlation", "count", "count_nonzero",
           "cov", "covariance", "cumulative_max", "cumulative_min", "cumulative_prod", "cumulative_sum", "dot",
           "group_by", "layer_norm", "log_softmax", "logsumexp", "max", "mean", "min", "minmax", "minmax_scale",
           "nanargmax", "nanargmin", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "norm", "normalize",
           "prod", "ptp", "reduce", "reduce_by_key", "reduce_segments", "rms_norm", "scan", "softmax", "std", "sum",
           "var", "zscore"] + [error.__name__ for error in ERRORS]

for _name in __all__:  # help() and repr() name what is public, not the file that has it
    if not hasattr(globals()[_name], "_forget"):
        globals()[_name].__module__ = __name__
del _name
