"""What to do after a fault of a kernel on the simulator, which ends its context for all that was made in it. (A GPU's driver
lets the process do nothing more.)"""

import gc

KINDS = ("DeviceArray", "ExactState", "Graph", "Kernel", "Plan", "Stream")


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
    return ("To go on: delete what was made with this context"
            f"{f' (alive now: {there})' if there else ''}, then close it, jitreduce.default_context().close() and "
            "jitreduce.set_default_context(None) for the default one")
