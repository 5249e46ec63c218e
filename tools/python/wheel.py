#!/usr/bin/env python3
"""Packs the built package, the library, the simulator, the command, the public headers and the manual into one wheel.

usage: wheel.py VERSION PACKAGE_FOLDER WHEEL_FOLDER
The wheel's own libraries and its command lie in WHEEL_FOLDER, where the wheel goes. Of the same files it has the same bytes: names are
sorted, times are the one of SOURCE_DATE_EPOCH or 1980. Its platform is the newest glibc that a file asks for.
"""

import base64
import hashlib
import os
import platform
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
SUMMARY = "Reductions and scans of arrays by kernels that are compiled at run time, on a GPU or a PTX simulator"


def metadata(version):
    """What pip and package indexes read; the text is the manual's page about Python, without links to other pages."""
    page = (SOURCE / "include/manual/python.md").read_text(encoding="utf-8")
    page = re.sub(r"\[([^\]]*)\]\((?!http)[^)]*\)", r"\1", page)
    return "\n".join([
        "Metadata-Version: 2.1", "Name: jitreduce", f"Version: {version}", f"Summary: {SUMMARY}", "License: MIT",
        "Requires-Python: >=3.11", "Provides-Extra: nvrtc", 'Requires-Dist: nvidia-cuda-nvrtc; extra == "nvrtc"',
        "Description-Content-Type: text/markdown", "", page])


def stripped(path, folder):
    """The bytes of a program or library without its symbols for debuggers."""
    copy = folder / ("stripped." + path.name)
    subprocess.run(["strip", "--strip-unneeded", "-o", copy, path], check=True)
    content = copy.read_bytes()
    copy.unlink()
    return content


def files_of(package, folder):
    """name in the wheel -> bytes, of the package itself."""
    files = {}
    for path in package.iterdir():
        if path.suffix in (".py", ".pyi", ".typed"):
            files[f"jitreduce/{path.name}"] = path.read_bytes()
    for path in (package / "_jitreduce.abi3.so", folder / "jitreduce", *folder.glob("lib*.so*")):
        files[f"jitreduce/{path.name}"] = stripped(path, folder)
    for path in sorted((SOURCE / "include").rglob("*.h")):
        files[f"jitreduce/include/{path.relative_to(SOURCE / 'include')}"] = path.read_bytes()
    return files


def documentation(version):
    """name in the wheel -> bytes: the pages and examples, which pip puts into the environment's share/doc/jitreduce."""
    root = f"jitreduce-{version}.data/data/share/doc/jitreduce"
    pages = ["README.md", "include/CHANGES.md", "tools/examples/README.md"]
    pages += [str(path.relative_to(SOURCE)) for path in sorted((SOURCE / "include/manual").glob("*.md"))]
    files = {}
    for page in pages:
        text = subprocess.run([SOURCE / "tools/dev/doc_page.sh", page, ""], check=True, capture_output=True).stdout
        files[f"{root}/{page.removeprefix('include/').removeprefix('tools/')}"] = text
    for path in (SOURCE / "tools/examples").iterdir():
        if path.suffix in (".c", ".cu", ".py"):
            files[f"{root}/examples/{path.name}"] = path.read_bytes()
    files[f"{root}/LICENSE"] = (SOURCE / "LICENSE").read_bytes()
    return files


def platform_of(files):
    """manylinux_2_X of the newest glibc that a file asks for."""
    minors = [int(minor) for content in files.values() if content[:4] == b"\x7fELF"
              for minor in re.findall(rb"GLIBC_2\.(\d+)", content)]
    return f"manylinux_2_{max(minors)}_{platform.machine()}"


def record(files, name):
    """The list of all files with their digests."""
    lines = []
    for file, content in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{file},sha256={digest},{len(content)}")
    return "\n".join([*lines, f"{name},,", ""]).encode()


def write(path, files):
    """The archive; programs and libraries may be executed."""
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]
    temporary = path.with_suffix(".tmp")
    with zipfile.ZipFile(temporary, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = (0o100755 if content[:4] == b"\x7fELF" else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    temporary.replace(path)


def main():
    """Packs, and prints where the wheel is."""
    version, package, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    files = {**files_of(package, folder), **documentation(version)}
    tag = f"cp311-abi3-{platform_of(files)}"
    info = f"jitreduce-{version}.dist-info"
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: jitreduce\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\njitreduce = jitreduce.__main__:main\n"
    files[f"{info}/licenses/LICENSE"] = (SOURCE / "LICENSE").read_bytes()
    for inside in ("libmd", "zlib1g", "libzstd"):
        notice = Path(f"/usr/share/doc/{inside}-dev/copyright")
        if notice.exists():
            files[f"{info}/licenses/LICENSE.{inside}"] = notice.read_bytes()
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD")
    for old in folder.glob("*.whl"):
        old.unlink()
    wheel = folder / f"jitreduce-{version}-{tag}.whl"
    write(wheel, files)
    print(wheel)


if __name__ == "__main__":
    main()
