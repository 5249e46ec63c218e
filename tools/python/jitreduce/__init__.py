"""Reductions and scans of arrays by kernels that are compiled at run time: on a GPU, or on a PTX simulator without one.

>>> x = numpy.array([[3, 1, 4], [1, 5, 9]], "f4")
>>> jitreduce.max(x, axis=1)
array([4., 9.], dtype=float32)
>>> jitreduce.mean(x, where="x > 1").item()
5.25

Names and meanings are those of the array API standard (https://data-apis.org/array-api/). Arrays are whatever exports
its memory; results are NumPy's of NumPy's, else numbers of Python and arrays of the caller's library, or memoryviews
where that takes nothing by DLPack. Nothing is copied on the way in that
the caller did not ask for: an array whose elements do not lie one behind the other is an error. What the library
refuses is an exception, a subclass of jitreduce.Error, with the place in an expression that is wrong.
"""

from . import _context, _functions, _jitreduce
from ._context import Context, default_context, doctor, set_default_context, variables
from ._functions import (all, any, argmax, argmin, count_nonzero, cumulative_prod, cumulative_sum, dot, logsumexp, max,
                         mean, min, minmax, norm, prod, reduce, std, sum, var)
from ._jitreduce import Error
from ._device import DeviceArray
from ._exact import ExactState
from ._groups import group_by, reduce_by_key
from ._kernel import Kernel
from ._plan import Graph, Plan, Stream
from ._reduction import Reduction

for _name in _functions.QUICK:
    globals()[_name] = _jitreduce.Quick(globals()[_name], _functions.plan_for(_name), _functions.cupy_way_of(_name))
    _context.at_close(globals()[_name]._forget)
del _name

__version__ = _jitreduce.version

#: The classes of exceptions, a subclass of Error for each status of the library.
ERRORS = tuple(value for name, value in sorted(vars(_jitreduce).items()) if name.endswith("Error") and name != "Error")
globals().update({error.__name__: error for error in ERRORS})

__all__ = ["Context", "DeviceArray", "Error", "ExactState", "Graph", "Kernel", "Plan", "Reduction", "Stream", "default_context", "doctor", "set_default_context", "variables",
           "all", "any", "argmax", "argmin", "count_nonzero", "cumulative_prod", "cumulative_sum", "dot",
           "group_by", "logsumexp", "max", "mean", "min", "minmax", "norm", "prod", "reduce", "reduce_by_key", "std", "sum", "var"] + [error.__name__ for error in ERRORS]
