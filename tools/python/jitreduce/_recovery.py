"""What to do after a fault of a kernel on the simulator, which ends its context for all that was made in it. (A GPU's driver
lets the process do nothing more.)"""

import atexit
import gc
import os
import sys
import weakref

_launched = weakref.WeakKeyDictionary()  # contexts on the simulator on which a kernel was launched: by which process
_told = []  # whether a fault was raised

KINDS = ("DeviceArray", "ExactState", "Graph", "Kernel", "Plan", "State", "Stream")


def living():
    """The objects of the package that keep a context open, counted: "2 DeviceArrays, 1 Kernel"."""
    import jitreduce  # pylint: disable=import-outside-toplevel,cyclic-import

    kinds = {getattr(jitreduce, name): 0 for name in KINDS}
    for thing in gc.get_objects():
        if type(thing) in kinds:
            kinds[type(thing)] += 1
    return ", ".join(f"{count} {kind.__name__}{'s' if count > 1 else ''}" for kind, count in kinds.items() if count)


def advice():
    """The last line of the message of a DeviceFaultError."""
    there = living()
    _told.append(True)
    return ("To go on: delete what was made with this context"
            f"{f' (alive now: {there})' if there else ''}, then close it, jitreduce.default_context().close() and "
            "jitreduce.set_default_context(None) for the default one")


def launched(context):
    """Notes that a kernel was launched, whose fault would be raised by a later call."""
    if context.dlpack_device[0] == 12 and context not in _launched:
        _launched[context] = os.getpid()


@atexit.register
def _report():
    """Writes a fault that no call raised to standard error, when the interpreter ends."""
    from . import _jitreduce  # pylint: disable=import-outside-toplevel

    for context, process in list(_launched.items()):
        if _told or process != os.getpid() or "_context" not in vars(context):
            continue
        try:
            context.synchronize()
        except _jitreduce.Error as error:
            sys.stderr.write(f"jitreduce: a kernel ended with an error that no call raised: {str(error).partition(chr(10))[0]}\n")
