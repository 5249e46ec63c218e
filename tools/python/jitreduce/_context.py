"""Devices: a context is one of them, its compiler and its caches; one context is everybody's."""

import functools
import glob
import os
import sys
import threading
import warnings

from . import _given, _jitreduce
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
    """Has something called whenever a context is closed: it lets go of what was made of contexts. Returns it."""
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

    device: "auto" (what JITREDUCE_DEVICE says, else the GPU, else, with a warning, the PTX simulator), "cuda",
    "cuda:1", "sim". driver, nvrtc, simulator: paths of libraries; None: they are searched. cache_dir: folder of
    compiled kernels; "" is none. wisdom: file of stored tunings; "" is none. packs: files and folders of kernels that
    `jitreduce pack` compiled before, a path, several separated by ":", or a list; "" is none.

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

    def __init__(self, device="auto", *, driver=None, nvrtc=None, simulator=None, cache_dir=None, wisdom=None,
                 packs=None):
        given = {"driver": driver, "nvrtc": find_nvrtc() if nvrtc is None else nvrtc, "simulator": simulator,
                 "cache_dir": cache_dir, "wisdom": wisdom}
        paths = {**{name: _given.path(name, value) for name, value in given.items()}, "packs": _joined(packs)}
        if device is not None:
            device = _given.text("device", device)
        self._context = _open_auto(paths) if device == "auto" else _jitreduce.Context(device, **paths)
        info = self.device_info()
        self.dlpack_device = (12 if info["simulated"] else 2, info["ordinal"])

    def __repr__(self):
        return f"<jitreduce.Context on {self.device_info()['name']}>" if "_context" in vars(self) else "<jitreduce.Context, closed>"

    def __getattr__(self, name):
        if name == "_context":
            raise ValueError("this jitreduce.Context is closed")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __enter__(self):
        assert self._context
        return self

    def __exit__(self, *unused):
        self.close()

    def close(self):
        """Ends the context: who uses it from now on is told so, also where it is the default one. The device is left when
        the arrays, kernels, plans and streams that were made of it are gone, too. Closed already: nothing is done."""
        if vars(self).pop("_context", None) is not None:
            _jitreduce.forget()
            for forget in _forgetting:
                forget()

    def device_info(self):
        """What the device is, as a dict."""
        return self._context.device_info()

    def stats(self):
        """What the last call on host memory cost and how it was tuned, as a dict.

        >>> _ = jitreduce.sum(numpy.ones(1000, "f4"))
        >>> jitreduce.default_context().stats()["launches"]
        1
        """
        return self._context.stats()

    def counters(self):
        """How often kernels were found in memory, in packs, on disk, or compiled, as a dict."""
        return self._context.counters()


def _open_auto(paths):
    if os.environ.get("JITREDUCE_DEVICE", "auto") not in ("", "auto"):
        return _jitreduce.Context(None, **paths)
    context = _jitreduce.Context("auto", **paths)
    if context.device_info()["simulated"]:
        warnings.warn("no NVIDIA driver or GPU was found: the PTX simulator is used; jitreduce.Context('sim') or "
                      "JITREDUCE_DEVICE=sim leaves this warning out", RuntimeWarning, stacklevel=5)
    return context


class _Default:
    """The context of calls that name none, opened when the first one comes."""

    def __init__(self):
        self.lock = threading.Lock()
        self.context = None


_default = _Default()


def default_context():
    """The context of calls that name none; opened with Context("auto") unless set_default_context set one."""
    if _default.context is None:
        with _default.lock:
            if _default.context is None:
                _default.context = Context()
    return _default.context


def context_of(context):
    """The context that a caller gives; None: the default one."""
    if context is None:
        return default_context()
    if not isinstance(context, Context):
        raise TypeError(f"context={shown(context)} is no jitreduce.Context")
    return context


def current():
    """The default context as it is; None: none has been opened."""
    return _default.context


def set_default_context(context):
    """Makes a context that of calls which name none. None: the next call opens one."""
    if context is not None and not isinstance(context, Context):
        raise TypeError(f"{shown(context)} is no jitreduce.Context")
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
    """What the library finds on this machine: a tuple (component, origin, path, chosen, detail) for each candidate.

    >>> {finding[0] for finding in jitreduce.doctor()} >= {"driver", "nvrtc", "simulator"}
    True
    """
    return _jitreduce.doctor(find_nvrtc())


def variables():
    """The environment variables that the library reads: a tuple (name, text, value or None) for each."""
    return _jitreduce.variables()
