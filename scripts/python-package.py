"""Writes the wheel and the source distribution of the Python client, without packages from an index.

    python3 scripts/python-package.py FOLDER

The same source always gives the same bytes. `python -m build` writes packages with the same content, but with different bytes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "clients" / "python"
# The earliest time that a zip file can express.
TIME = (1980, 1, 1, 0, 0, 0)
EPOCH = 315532800


def main(folder: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version = read_version()
    metadata = format_metadata(project, version)
    stem = f"{project['name']}-{version}"
    folder.mkdir(parents=True, exist_ok=True)
    write_wheel(folder / f"{stem}-py3-none-any.whl", stem, metadata)
    write_source(folder / f"{stem}.tar.gz", stem, metadata)
    print(*sorted(str(path) for path in folder.glob(f"{stem}*")), sep="\n")


def read_version() -> str:
    text = (ROOT / "src" / "promptharbor" / "_version.py").read_text("utf-8")
    match = re.search(r'^VERSION = "(.+)"$', text, re.MULTILINE)
    if match is None:
        raise SystemExit("_version.py has no VERSION")
    return match[1]


def format_metadata(project: dict, version: str) -> bytes:
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", project["name"]),
        ("Version", version),
        ("Summary", project["description"]),
        ("License-Expression", project["license"]),
        ("License-File", "LICENSE"),
        ("Keywords", ",".join(project["keywords"])),
        *(("Classifier", each) for each in project["classifiers"]),
        ("Requires-Python", project["requires-python"]),
        ("Description-Content-Type", "text/markdown"),
    ]
    head = "".join(f"{name}: {value}\n" for name, value in fields)
    return f"{head}\n{(ROOT / 'README.md').read_text('utf-8')}".encode()


def list_sources() -> list[Path]:
    """Return the files of the package, always in the same order."""
    files = (ROOT / "src" / "promptharbor").rglob("*")
    return sorted(path for path in files if path.is_file() and (path.suffix == ".py" or path.name == "py.typed"))


def write_wheel(path: Path, stem: str, metadata: bytes) -> None:
    info = f"{stem}.dist-info"
    wheel = b"Wheel-Version: 1.0\nGenerator: promptharbor\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    entries = {str(each.relative_to(ROOT / "src").as_posix()): each.read_bytes() for each in list_sources()}
    entries[f"{info}/METADATA"] = metadata
    entries[f"{info}/WHEEL"] = wheel
    entries[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = "".join(f"{name},sha256={hash_of(content)},{len(content)}\n" for name, content in entries.items())
    entries[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def hash_of(content: bytes) -> str:
    digest = hashlib.sha256(content).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def write_source(path: Path, stem: str, metadata: bytes) -> None:
    entries = {each.relative_to(ROOT).as_posix(): each.read_bytes() for each in list_sources()}
    for name in ("LICENSE", "README.md", "pyproject.toml"):
        entries[name] = (ROOT / name).read_bytes()
    entries["PKG-INFO"] = metadata
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in sorted(entries.items()):
            entry = tarfile.TarInfo(f"{stem}/{name}")
            entry.size = len(content)
            entry.mtime = EPOCH
            archive.addfile(entry, io.BytesIO(content))
    with path.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as compressed:
        compressed.write(buffer.getvalue())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("Usage: python3 scripts/python-package.py FOLDER")
    main(Path(sys.argv[1]))
