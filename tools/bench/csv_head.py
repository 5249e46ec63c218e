"""The head of a CSV file: where and how its numbers were made."""

import ctypes
import re
import shlex
from pathlib import Path

import jitreduce as jr

FINDING = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(jr.H.structs["jr_finding"]))


def nvrtc_version(library):
    """The version of the NVRTC that is used, of all findings."""
    versions = []

    def take(_, finding):
        found = finding.contents
        if found.chosen and (found.component, found.origin) == (b"nvrtc", b"version"):
            versions.append(found.detail.decode().removeprefix("version ").split(",")[0])

    library.check(library.lib.jr_doctor(None, FINDING(take), None))
    return versions[0] if versions else "unknown"


def driver_version():
    """The kernel module's version."""
    try:
        found = re.search(r"\s(\d[\d.]*)\s", Path("/proc/driver/nvidia/version").read_text(encoding="ascii").split("\n")[0])
        return found[1] if found else "unknown"
    except OSError:
        return "unknown"


def write(library, peers, words):
    """Prints device, versions and command, as `jitreduce bench --csv` does; what lies anywhere is told by its name."""
    info = jr.H.structs["jr_device_info"]()
    library.check(library.lib.jr_context_device_info(library.context, ctypes.byref(info)))
    library.lib.jr_version.restype = ctypes.c_char_p
    driver = "unknown" if info.simulated else driver_version()
    cuda = f"{info.driver_version // 1000}.{info.driver_version % 1000 // 10}"
    print(f"# device: {info.name.decode()}\n# driver: {driver}, CUDA {cuda}\n# nvrtc: {nvrtc_version(library)}\n"
          f"# jitreduce: {library.lib.jr_version().decode()}")
    for peer in peers:
        print(f"# peer: {peer}")
    told = [Path(word).name if word.startswith("/") else word for word in words[1:]]
    print(f"# command: {shlex.join([Path(words[0]).name, *told])}")
