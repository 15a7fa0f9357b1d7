"""
Builds the package (PEP 517) with the standard library alone, so that neither making it nor installing it from its
sources needs a registry. It reads the plain lines of pyproject.toml: Python 3.10 has no reader of TOML.
"""
from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent
MODULE = "ringfold_client"
#: Printed from the table of routes.
PRINTED = ("types.py", "operations.py")


def _project() -> dict[str, str]:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    return dict(re.findall(r'^([\w-]+) = "(.*)"$', text.partition("[project]")[2], re.M))


def _sources() -> list[Path]:
    folder = ROOT / "src" / MODULE
    missing = [name for name in PRINTED if not (folder / name).is_file()]
    if missing:
        raise SystemExit(f"{folder} has no {', '.join(missing)}: npm run client:build prints them")
    return sorted([*folder.glob("*.py"), folder / "py.typed"])


def _metadata() -> str:
    project = _project()
    head = {
        "Metadata-Version": "2.4",
        "Name": project["name"],
        "Version": project["version"],
        "Summary": project["description"],
        "License-Expression": project["license"],
        "Requires-Python": project["requires-python"],
        "Description-Content-Type": "text/markdown",
    }
    lines = [f"{name}: {value}" for name, value in head.items()]
    return "\n".join([*lines, "", (ROOT / "README.md").read_text("utf-8")])


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    version = _project()["version"]
    info = f"{MODULE}-{version}.dist-info"
    files = {f"{MODULE}/{path.name}": path.read_bytes() for path in _sources()}
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: ringfold\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    name = f"{MODULE}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return name


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    base = f"{MODULE}-{_project()['version']}"
    own = ["README.md", "build_backend.py", "pyproject.toml"]
    files = {name: (ROOT / name).read_bytes() for name in own}
    files |= {f"src/{MODULE}/{path.name}": path.read_bytes() for path in _sources()}
    files["PKG-INFO"] = _metadata().encode()
    whole = io.BytesIO()
    with gzip.GzipFile("", "wb", fileobj=whole, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"{base}/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    (Path(sdist_directory) / f"{base}.tar.gz").write_bytes(whole.getvalue())
    return f"{base}.tar.gz"
