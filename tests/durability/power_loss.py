"""What a power loss leaves of a folder, by the records of fsync_shim.c.

The rules are those of a journalling file system that orders its own changes and promises nothing
about data that was not synced:

* names (made, moved, removed) of a folder reach the disk in their order; those before the last
  fsync of the folder are there, of the later ones a random first part is;
* a file keeps its synced bytes; of the bytes after them a random first part is there, and a
  random piece of that is zeros or garbage.
"""
import ctypes
import mmap
import os
import shutil
import subprocess

MAX_FILES, MAX_CHANGES, PATH_BYTES = 16384, 32768, 256
CREATE, RENAME, REMOVE = 1, 2, 3
FAIL_WRITES, FAIL_SYNCS = 1, 2


class _File(ctypes.Structure):
    _fields_ = [(n, ctypes.c_uint64) for n in ("device", "inode", "durable", "dirty_from")]


class _Change(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint32), ("durable", ctypes.c_uint32), ("undo", ctypes.c_uint32),
                ("from_path", ctypes.c_char * PATH_BYTES), ("to_path", ctypes.c_char * PATH_BYTES)]


class _State(ctypes.Structure):
    _fields_ = [("calls", ctypes.c_uint64), ("die_at", ctypes.c_uint64), ("syncs", ctypes.c_uint64),
                ("mappings", ctypes.c_uint64), ("fail_kinds", ctypes.c_uint32),
                ("fail_errno", ctypes.c_uint32), ("files", ctypes.c_uint32),
                ("changes", ctypes.c_uint32), ("file", _File * MAX_FILES),
                ("change", _Change * MAX_CHANGES)]


def build_shim(folder):
    """The preload library, compiled into `folder`."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fsync_shim.c")
    library = os.path.join(folder, "fsync_shim.so")
    subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-O2", "-Wall", "-Wextra", "-Werror",
                    "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"], check=True)
    return library


class Watch:
    """The records of one process over one folder; everything in it at the start is durable."""

    def __init__(self, library, root, side, ignore_sync=False, faulty=None):
        """`faulty`: how the names of the files end whose syncs are ignored, or whose calls fail
        later; everything when it is None."""
        self.root = os.path.realpath(root)
        self.undo = os.path.join(side, "undo")
        shutil.rmtree(self.undo, ignore_errors=True)
        os.makedirs(self.undo)
        path = os.path.join(side, "state")
        with open(path, "wb") as f:
            f.truncate(ctypes.sizeof(_State))
        with open(path, "r+b") as f:
            self.memory = mmap.mmap(f.fileno(), 0)
        self.state = _State.from_buffer(self.memory)
        self.env = {"LD_PRELOAD": library, "SHIM_ROOT": self.root, "SHIM_STATE": path,
                    "SHIM_UNDO": self.undo, **({"SHIM_IGNORE_SYNC": "1"} if ignore_sync else {}),
                    **({"SHIM_FAULTY": faulty} if faulty else {})}

    def die_at_call(self, number):
        """The process dies in its `number`th watched call, counted from its start."""
        self.state.die_at = number

    def fail(self, kinds, error):
        """From now on writes or syncs of files fail."""
        self.state.fail_errno = error
        self.state.fail_kinds = kinds

    def cut(self, rng):
        """Brings the folder of the dead process into a state that a power loss could have left;
        says what it did."""
        undone = self._undo_names(rng)
        cut = self._cut_files(rng)
        shutil.rmtree(self.undo)
        return f"{undone} names undone, {cut} files cut"

    # --- Names ---

    def _undo_names(self, rng):
        pending = {}
        for i in range(self.state.changes):
            change = self.state.change[i]
            if not change.durable:
                pending.setdefault(os.path.dirname(change.to_path), []).append(i)
        lost = [i for numbers in pending.values()
                for i in numbers[rng.choice((0, rng.randint(0, len(numbers)), len(numbers))):]]
        for i in sorted(lost, reverse=True):
            self._undo_name(self.state.change[i])
        return len(lost)

    def _undo_name(self, change):
        path = change.to_path.decode()
        if change.kind == CREATE:
            if os.path.isdir(path):
                shutil.rmtree(path)
            elif os.path.lexists(path):
                os.unlink(path)
        if change.kind == RENAME and os.path.lexists(path):
            os.rename(path, change.from_path.decode())
        if change.kind in (RENAME, REMOVE) and change.undo and os.path.isdir(os.path.dirname(path)):
            os.link(os.path.join(self.undo, str(change.undo)), path)

    # --- Bytes ---

    def _cut_files(self, rng):
        durable = {(f.device, f.inode): min(f.durable, f.dirty_from)
                   for f in self.state.file[:self.state.files]}
        cut = 0
        for folder, _, names in os.walk(self.root):
            for name in names:
                path = os.path.join(folder, name)
                found = os.stat(path)
                keep = durable.get((found.st_dev, found.st_ino), found.st_size)
                if keep < found.st_size:
                    _tear(path, keep, found.st_size, rng)
                    cut += 1
        return cut


def _tear(path, durable, size, rng):
    """The file ends somewhere between what is durable and what was written; a piece of the rest
    is not what was written."""
    end = rng.choice((durable, rng.randint(durable, size), size))
    os.truncate(path, end)
    if end == durable or rng.random() < 0.3:
        return
    begin = rng.randint(durable, end - 1)
    length = min(end - begin, rng.choice((1, 512, 4096, size)))
    with open(path, "r+b") as f:
        f.seek(begin)
        f.write(rng.choice((bytes(length), rng.randbytes(length))))
