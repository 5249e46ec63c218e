"""Contexts: a device with its compiler and its caches. Calls that name no context share the default one."""

import functools
import glob
import os
import sys
import threading
import warnings

from . import _documented, _given, _jitreduce
from ._documented import checked
from ._given import shown


def find_nvrtc():
    """The path of NVRTC in a wheel of this Python (`pip install jitreduce[nvrtc]`), or None."""
    if os.environ.get("JITREDUCE_NVRTC"):
        return None
    for folder in sys.path:
        found = sorted(glob.glob(os.path.join(folder or ".", "nvidia", "*", "lib", "libnvrtc.so.[0-9]*")))
        if found:
            return os.path.abspath(found[-1])
    return None


def _joined(packs):
    """A path, or several, as the library takes them."""
    if packs is None or isinstance(packs, (str, os.PathLike)):
        return _given.path("packs", packs)
    return ":".join(_given.path("packs", one) or "" for one in _given.items("packs", packs))


_forgetting = []


def at_close(forget):
    """Registers a function that is called whenever a context is closed, to drop what was made with it. Returns it."""
    _forgetting.append(forget)
    return forget


def kept(most):
    """A functools.lru_cache of what is made of a context."""
    def decorate(function):
        cached = functools.lru_cache(maxsize=most)(function)
        at_close(cached.cache_clear)
        return cached
    return decorate


class Context:
    """One device, its compiler and its caches.

    device      "auto" (default: JITREDUCE_DEVICE if set, else the GPU, else the PTX simulator with a warning), "cuda",
                "cuda:1", "sim"
    driver, nvrtc, simulator   paths of these libraries; default: they are searched (jitreduce.doctor() lists where)
    cache_dir   folder of compiled kernels; "": no folder; default: the user's cache folder
    wisdom      file of stored tunings; "": no file
    packs       files and folders of kernels that `jitreduce pack` compiled: a path, several separated by ":", or a list;
                "": no packs

    >>> context = jitreduce.Context("sim")
    >>> context.device_info()["simulated"]
    True
    >>> int(jitreduce.sum(numpy.arange(10), context=context))
    45

    In a with statement it is closed at the end:

    >>> with jitreduce.Context("sim") as context:
    ...     jitreduce.sum(array.array("i", [3, 1, 4]), context=context)
    8
    """

    @checked
    def __init__(self, device="auto", *, driver=None, nvrtc=None, simulator=None, cache_dir=None, wisdom=None,
                 packs=None):
        given = {"driver": driver, "nvrtc": find_nvrtc() if nvrtc is None else nvrtc, "simulator": simulator,
                 "cache_dir": cache_dir, "wisdom": wisdom}
        paths = {**{name: _given.path(name, value) for name, value in given.items()}, "packs": _joined(packs)}
        if isinstance(device, int) and not isinstance(device, bool):
            raise TypeError(f"device={shown(device)} is a number: 'cuda:{shown(device)}' names a GPU")
        if device is not None:
            device = _given.text("device", device)
        self._context = _open_auto(paths) if device == "auto" else _jitreduce.Context(device, **paths)
        info = self.device_info()
        self.dlpack_device = (12 if info["simulated"] else 2, info["ordinal"])

    def __repr__(self):
        if "_context" not in vars(self):
            return "<jitreduce.Context, closed>"
        kind, ordinal = self.dlpack_device
        device = f"{'sim#' if kind == 12 else 'cuda:'}{ordinal}"
        try:
            return f"<jitreduce.Context on {self.device_info()['name']}, {device}>"
        except _jitreduce.Error as error:  # a fault ended it
            return f"<jitreduce.Context on {device}: {error.status}>"

    def __getattr__(self, name):
        if name == "_context":
            raise ValueError("this jitreduce.Context is closed" + (
                "; it is the default one: jitreduce.set_default_context(None) lets the next call open another" if _default.context is self else ""))
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __enter__(self):
        assert self._context
        return self

    def __exit__(self, *unused):
        self.close()

    def __reduce__(self):
        raise TypeError("a jitreduce.Context belongs to this process and cannot be pickled or copied: make one where it is needed")

    def close(self):
        """Closes the context; using it later raises ValueError, also where it is the default context. The device is
        released once the arrays, kernels, plans and streams made with it are gone, too. A second close does nothing."""
        if vars(self).pop("_context", None) is not None:
            _jitreduce.forget()
            for forget in _forgetting:
                forget()

    def synchronize(self):
        """Waits until all work on the device is done, on every stream. Raises DeviceFaultError for a kernel that faulted."""
        self._context.wait(None)

    def device_info(self):
        """A dict that describes the device."""
        return self._context.device_info()

    def stats(self):
        """A dict with what the last call on host memory cost, or making the last Kernel, and how it was tuned. origin: where
        its kernel came from, "compiled", "memory" (of this process), "disk", "pack", or "none" where no kernel ran.
        compiled_because: the reason of a compile, which names what differs from the nearest of the last compiles; of the first
        one where a call compiles several kernels.

        >>> _ = jitreduce.sum(numpy.ones(1000, "f4"))
        >>> jitreduce.default_context().stats()["launches"]
        1
        """
        return self._context.stats()

    def counters(self):
        """A dict that counts kernels found in memory, in packs and on disk, and kernels compiled."""
        return self._context.counters()


def _open_auto(paths):
    named = os.environ.get("JITREDUCE_DEVICE", "auto")
    if named not in ("", "auto"):
        try:
            return _jitreduce.Context(None, **paths)
        except _jitreduce.Error as error:
            if "JITREDUCE_DEVICE" not in str(error):
                error.args = (f"JITREDUCE_DEVICE={named}: {error}",)
            raise
    context = _jitreduce.Context("auto", **paths)
    if context.device_info()["simulated"]:
        warnings.warn("no NVIDIA driver or GPU was found: the PTX simulator runs the kernels on the processor, where a sum takes some 10 times as long as NumPy's, and "
                      "an exact sum seconds for a million elements; jitreduce.Context('sim') or JITREDUCE_DEVICE=sim silences this warning", RuntimeWarning,
                      stacklevel=_documented.caller_level())
    return context


class _Default:
    """The context of calls without context=, opened by the first of them."""

    def __init__(self):
        self.lock = threading.Lock()
        self.context = None


_default = _Default()


def default_context():
    """The context of calls without context=. The first call opens it with Context("auto"), unless set_default_context set
    one."""
    if _default.context is None:
        with _default.lock:
            if _default.context is None:
                _default.context = Context()
    return _default.context


def _made_of(name):
    """The advice for the name of a device."""
    return f": jitreduce.Context({name!r}) opens one" if isinstance(name, str) and name in ("auto", "cuda", "sim") else ""


def context_of(context):
    """The context of the caller's argument; None: the default one."""
    if context is None:
        return default_context()
    if not isinstance(context, Context):
        raise TypeError(f"context={shown(context)} is not a jitreduce.Context{_made_of(context)}")
    return context


def current():
    """The default context; None if no call has opened it yet."""
    return _default.context


def set_default_context(context):
    """Sets the context of calls without context=. None: the next such call opens Context("auto")."""
    if context is not None and not isinstance(context, Context):
        raise TypeError(f"{shown(context)} is not a jitreduce.Context{_made_of(context)}")
    _default.context = context
    _jitreduce.forget()


@functools.lru_cache
def _context_on(name):
    return Context(name)


def context_of_device(number, simulated):
    """The default context if it is on that device, else one that is kept for it."""
    context = default_context()
    if context.dlpack_device == (12 if simulated else 2, number):
        return context
    return _context_on(f"{'sim#' if simulated else 'cuda:'}{number}")


def doctor():
    """Lists the libraries found on this machine: a tuple (component, origin, path, chosen, detail) per candidate.

    >>> {finding[0] for finding in jitreduce.doctor()} >= {"driver", "nvrtc", "simulator"}
    True
    """
    return _jitreduce.doctor(find_nvrtc())


def variables():
    """Lists the environment variables that the library reads: a list with a tuple (name, meaning, value) each. The value is
    a text, or None where the variable is not set.

    >>> "JITREDUCE_DEVICE" in [name for name, meaning, value in jitreduce.variables()]
    True
    """
    return _jitreduce.variables()
