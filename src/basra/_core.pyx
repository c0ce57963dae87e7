# cython: language_level=3
"""The C core as Python objects: it converts and checks ranges, and holds no rule of the game.

Cards are 0..51, sets of cards are ints with one bit a card, search values are in 1/UNIT points.
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject, PyTypeObject
from cpython.pythread cimport PyThread_get_thread_ident
from cpython.time cimport perf_counter
from libc.stdint cimport (
    UINT64_MAX, int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t,
)
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset, strchr, strlen, strncmp

from basra cimport _capi as c

import os
import threading
from array import array

UNIT = c.BASRA_UNIT
MAX_CAPTURES = c.BASRA_MAX_CAPTURES
NO_SEAT = c.BASRA_NO_SEAT
UNKNOWN_SEAT = c.BASRA_UNKNOWN_SEAT
VERSION = c.BASRA_VERSION.decode()


class CoreError(Exception):
    """A status other than OK: `status`, `fault` (0 if none) and `detail` (-1 if none)."""

    def __init__(self, status, fault=0, detail=-1):
        super().__init__(c.basra_status_text(status).decode())
        self.status = status
        self.fault = fault
        self.detail = detail


def status_texts():
    """Text of every status, by code."""
    return [c.basra_status_text(code).decode() for code in range(<int>c.BASRA_STATUS_END)]


def fault_texts():
    """(field, what is wrong, what to do) of every fault, by code."""
    return [
        (
            c.basra_fault_field(code).decode(),
            c.basra_fault_text(code).decode(),
            c.basra_fault_fix(code).decode(),
        )
        for code in range(<int>c.BASRA_FAULT_END)
    ]


def preset_names():
    """Names of the presets, in their own order."""
    return [c.basra_preset_name(i).decode() for i in range(c.basra_preset_count())]


cdef int check(int status, int fault=0, int detail=-1) except -1:
    if status != <int>c.BASRA_OK:
        if status == <int>c.BASRA_E_NOMEM:
            raise MemoryError
        raise CoreError(status, fault, detail)
    return 0


cdef void *allocate(size_t size) except NULL:
    cdef void *memory = malloc(size if size else 1)
    if memory == NULL:
        raise MemoryError
    return memory


cdef tuple move_tuple(const c.basra_move *move):
    return (move.card, move.taken, move.basra, move.points)


# Only the main thread is ever told of signals.  Asking `threading` who that is takes as long as
# playing half a deal.
cdef unsigned long main_thread = threading.main_thread().ident


def _forked():
    """After a fork the thread that did it is the main one."""
    global main_thread
    main_thread = PyThread_get_thread_ident()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


cdef inline bint in_main_thread() noexcept:
    return <unsigned long>PyThread_get_thread_ident() == main_thread


# A poll runs in the middle of a search: it keeps the exception it meets and asks for the end; the
# caller raises it once the C call has returned.
cdef int poll_signals(void *user) noexcept with gil:
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        (<list>user).append(error)
        return 1
    return 0


include "_rules.pxi"
include "_position.pxi"
include "_notation.pxi"
include "_worlds.pxi"
include "_statistics.pxi"
include "_view.pxi"
include "_engine.pxi"
include "_batch.pxi"
include "_player.pxi"
include "_policy.pxi"
include "_boundary.pxi"
include "_match.pxi"
