"""Arguments converted to what they should be; otherwise an error that names the argument and its value."""

import operator
import os
from collections.abc import Mapping

from . import _jitreduce

shown = _jitreduce.shown


def flag(name, value):
    """True or False; an array of several elements is an error, and so is a text, which "no" would turn on."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name}={shown(value)} is a text: give True or False")
    try:
        return bool(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={shown(value)} is neither True nor False") from None


def text(name, value):
    """A text without character 0, which C can read."""
    if not isinstance(value, str):
        raise TypeError(f"{name}={shown(value)} is not a text")
    if "\0" in value:
        raise ValueError(f"{name}={shown(value)} contains the character 0, which ends a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}={shown(value)} contains half a character (a lone surrogate), which UTF-8 cannot encode") from None
    return value


def path(name, value):
    """A path as text; None: None."""
    if value is None:
        return None
    try:
        found = os.fspath(value)
    except TypeError:
        raise TypeError(f"{name}={shown(value)} is not a path") from None
    return text(name, os.fsdecode(found) if isinstance(found, bytes) else found)


def items(name, value):
    """The items of a list, as a tuple. A text, a dict and an array of numbers are no lists here, though Python iterates
    over them: by letters, names and numbers."""
    if isinstance(value, (str, bytes, bytearray, memoryview, Mapping)) or hasattr(value, "dtype"):
        raise TypeError(f"{name}={shown(value)} is not a list or tuple")
    try:
        return tuple(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={shown(value)} is not a list or tuple") from None


def texts(name, value, one=text):
    """The texts of a list, or a single text, as a tuple. one: what checks each: text, or path."""
    single = isinstance(value, (str, os.PathLike))
    try:
        found = (value,) if single else items(name, value)
    except TypeError:
        raise TypeError(f"{name}={shown(value)} is neither a text nor a list of texts") from None
    return tuple(text(name, one(name, item)) for item in found)


def pairs(name, value):
    """The pairs of a dict with texts as keys, as a tuple; None: no pairs."""
    if value is None:
        return ()
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}={shown(value)} is not a dict")
    return tuple((text(f"{name}: a name", key), word) for key, word in value.items())


def whole(name, value):
    """An integer."""
    try:
        return operator.index(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={shown(value)} is not an integer") from None


def data(name, value):
    """The bytes of an object that exports its memory."""
    if isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name}={shown(value)}, of type {type(value).__name__}, has no bytes: open({shown(value)}, 'rb').read() reads those of a file")
    try:
        return bytes(memoryview(value))
    except (TypeError, ValueError, BufferError, NotImplementedError):
        raise TypeError(f"{name}={shown(value)}, of type {type(value).__name__}, has no bytes") from None
