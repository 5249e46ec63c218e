"""What a caller gives as an argument, or an error that names it: in the place of what Python says of its own insides."""

import operator
import os
from collections.abc import Mapping

from . import _jitreduce

shown = _jitreduce.shown


def flag(name, value):
    """True or False; of an array of several elements neither."""
    try:
        return bool(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={shown(value)} is neither True nor False") from None


def text(name, value):
    """A text that C can have."""
    if not isinstance(value, str):
        raise TypeError(f"{name}={shown(value)} is no text")
    if "\0" in value:
        raise ValueError(f"{name}={shown(value)} has a character 0, which ends a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}={shown(value)} has half a character, which UTF-8 does not have") from None
    return value


def path(name, value):
    """A path as text; None: None."""
    if value is None:
        return None
    try:
        found = os.fspath(value)
    except TypeError:
        raise TypeError(f"{name}={shown(value)} is no path") from None
    return text(name, os.fsdecode(found) if isinstance(found, bytes) else found)


def items(name, value):
    """The items of a list, as a tuple."""
    try:
        return tuple(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={shown(value)} is no list or tuple") from None


def pairs(name, value):
    """The pairs of a dict by texts, as a tuple; None: none."""
    if value is None:
        return ()
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}={shown(value)} is no dict")
    return tuple((text(f"{name}: a name", key), word) for key, word in value.items())


def whole(name, value):
    """A whole number."""
    try:
        return operator.index(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={shown(value)} is no whole number") from None


def data(name, value):
    """The bytes of what has some."""
    try:
        return bytes(memoryview(value))
    except (TypeError, ValueError, BufferError, NotImplementedError):
        raise TypeError(f"{name}={shown(value)}, of {type(value).__name__}, has no bytes") from None
