"""What pip calls to build the package from its source (https://peps.python.org/pep-0517): a wheel by `make wheel`, a source
distribution of the files of the checkout.

usage: backend.py FOLDER      writes the source distribution there and prints its name
"""

import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import wheel  # noqa: E402  pylint: disable=wrong-import-position

SOURCE = wheel.SOURCE
NOT_SOURCE = {"build", ".deps", ".git"}


def version():
    """The version that the public header has."""
    text = (SOURCE / "include/jitreduce/types.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"define JR_VERSION_{part}\s+(\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def _files():
    """The files of the source, sorted: those that git knows, or all of an unpacked source distribution."""
    if (SOURCE / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, check=True, capture_output=True).stdout.decode().split("\0")
        return sorted(name for name in listed if name and (SOURCE / name).exists())
    return sorted(str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*")
                  if path.is_file() and not NOT_SOURCE & set(path.relative_to(SOURCE).parts) and path.suffix != ".pyc" and path.name != "PKG-INFO")


def _add(archive, name, content, executable):
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = len(content), 0o755 if executable else 0o644, int(os.environ.get("SOURCE_DATE_EPOCH", 315532800))
    archive.addfile(entry, io.BytesIO(content))


def build_sdist(sdist_directory, config_settings=None):  # pylint: disable=unused-argument
    """Writes the source distribution. The same source gives the same bytes."""
    root, tar = f"jitreduce-{version()}", io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.PAX_FORMAT) as archive:
        _add(archive, f"{root}/PKG-INFO", wheel.metadata(version()).encode(), False)
        for name in _files():
            path = SOURCE / name
            _add(archive, f"{root}/{name}", path.read_bytes(), os.access(path, os.X_OK))
    name = f"{root}.tar.gz"
    (Path(sdist_directory) / name).write_bytes(gzip.compress(tar.getvalue(), 9, mtime=0))
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):  # pylint: disable=unused-argument
    """Builds the library and the package by make, and copies the wheel."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}
    made = subprocess.run(["make", "-s", f"-j{os.cpu_count()}", "wheel"], cwd=SOURCE, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if made.returncode != 0:
        raise SystemExit(f"{made.stdout}\n`make wheel` failed in {SOURCE}: the lines above say why")
    path = Path(made.stdout.rstrip().rpartition("\n")[2])
    shutil.copy(SOURCE / path, wheel_directory)
    return path.name


if __name__ == "__main__":
    print(Path(sys.argv[1]) / build_sdist(sys.argv[1]))
