"""Where results go: memory of their own, or the caller's `out`."""

from . import _jitreduce, _layout, _types


class Wanted:
    """What an array of results is: type, shape, and strides of axes that lie in memory in the order of the input's."""

    def __init__(self, kind, shape, order, step=None):
        self.type, self.shape = kind, shape
        self.strides = _layout.strides_in(order, shape, step or _types.ITEM_BYTES[kind])

    def check(self, array):
        """Raises ValueError unless an Array that is given as `out` is such a one. The Array."""
        if array.readonly:
            raise ValueError("out is read-only")
        if (array.type, array.shape) != (self.type, self.shape):
            raise ValueError(f"out has elements of {_types.ARRAY_API[array.type]} and shape {array.shape}; the result has "
                             f"{_types.ARRAY_API[self.type]} and {self.shape}")
        lies = all(size == 1 or has == must for size, has, must in zip(array.shape, array.strides, self.strides))
        if not lies and 0 not in array.shape:
            raise ValueError(f"out has strides {array.strides} bytes; the results need {self.strides}, without gaps and in the order of the input's axes: "
                             "reduce into an array of its own, and copy, or omit out")
        return array

    def make(self):
        """Host memory for it."""
        return _jitreduce.Array(self.type, self.shape, self.strides)


class HostArray:
    """An Array in host memory, as other libraries take it by their from_dlpack."""

    def __init__(self, array):
        self._array = array

    def __dlpack_device__(self):
        return self._array.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy or dl_device not in (None, self._array.device):
            raise BufferError("the array is in host memory and cannot be copied elsewhere")
        return self._array.dlpack(max_version is not None and max_version[0] >= 1)


def wanted_of(spec, lies):
    """What the results of each operator are, when they are apart. lies: their shape, and the order of their axes."""
    return [Wanted(kind, *lies) for kind in spec.types]
