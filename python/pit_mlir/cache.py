# ===- cache.py - Compiled programs on disk ---------------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Compiled programs on disk.

`PIT_MLIR_CACHE` names the folder; else it is `pit-mlir` in the user's folder of caches. An entry's
key is a hash of the program, the options, the version of the compiler, and the chip: it does not
depend on the machine, but for programs made for "this CPU". Files appear whole, by a rename, so
that any number of processes may share a folder. Where it cannot be written, programs go to a
temporary folder of the process, and that is logged once.
"""

import atexit
import contextlib
import hashlib
import logging
import os
import shutil
import tempfile
import threading

from . import compiler

log = logging.getLogger("pit_mlir")

# Changes when files of the cache mean something else.
FORMAT = "pit-mlir cache 1"


def folder():
    """The folder of the cache, which need not exist."""
    named = os.environ.get("PIT_MLIR_CACHE")
    if named:
        return os.path.abspath(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "pit-mlir")


def key_of(*parts):
    """A key for text and bytes that an entry depends on."""
    digest = hashlib.sha256(FORMAT.encode())
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


def program_key(source, options):
    return key_of("program", source, options.identity(), compiler.identity(), *compiler.card())


def path_of(key, suffix, base=None):
    return os.path.join(base or folder(), key[:2], key + suffix)


_lock = threading.Lock()
_temporary = None
_warned = set()


def _temporary_folder():
    global _temporary
    with _lock:
        if _temporary is None:
            _temporary = tempfile.mkdtemp(prefix="pit-mlir-")
            atexit.register(shutil.rmtree, _temporary, ignore_errors=True)
        return _temporary


def _warn(error):
    """Logs once for each folder that it cannot be written."""
    where = folder()
    with _lock:
        first = where not in _warned
        _warned.add(where)
    if first:
        log.warning("the cache %s cannot be written (%s); programs of this process are kept in a temporary folder", where, error)


@contextlib.contextmanager
def _only_one(path):
    """Lets one process at a time make an entry; without locks on the file system, all of them."""
    import fcntl

    descriptor = None
    try:
        descriptor = os.open(path + ".lock", os.O_CREAT | os.O_RDWR, 0o666)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:
        pass
    try:
        yield
    finally:
        if descriptor is not None:
            with contextlib.suppress(OSError):
                os.unlink(path + ".lock")
            os.close(descriptor)


def find(key, suffix):
    """The path of an entry that is there, or None."""
    for base in (folder(), _temporary):
        if base is not None:
            path = path_of(key, suffix, base)
            if os.path.exists(path):
                return path
    return None


def _make_in(base, key, suffix, make):
    path = path_of(key, suffix, base)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with _only_one(path):
        if os.path.exists(path):
            return path
        # In the same file system, so that the rename is one step.
        own = tempfile.mkdtemp(prefix=".new-", dir=os.path.dirname(path))
        try:
            made = os.path.join(own, "made" + suffix)
            make(made)
            os.replace(made, path)
        finally:
            shutil.rmtree(own, ignore_errors=True)
    return path


def get(key, suffix, make):
    """The path of an entry. `make(path)` writes it where it is not there; its OSErrors mean that
    the folder cannot be written."""
    path = find(key, suffix)
    if path is not None:
        return path
    try:
        return _make_in(folder(), key, suffix, make)
    except OSError as error:
        _warn(error)
    return _make_in(_temporary_folder(), key, suffix, make)


def forget(key, suffix):
    """Removes an entry that turned out to be damaged."""
    path = find(key, suffix)
    if path is not None:
        with contextlib.suppress(OSError):
            os.unlink(path)
