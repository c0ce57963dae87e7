# Sums for the statistics of a hint.  A part of _core.pyx.

def column(const int32_t[::1] values, size_t at, size_t step, size_t seats):
    """Every `step`-th number from `at` on, as array("q").

    With `seats` more than 1, of each `seats` numbers there: seats times the first, less all of them.
    """
    cdef size_t count = 0 if at >= <size_t>values.shape[0] else (values.shape[0] - at - 1) // step + 1
    cdef size_t i, seat
    cdef int64_t[::1] out
    cdef int64_t number
    found = array("q", bytes(8 * count))
    if not count:
        return found
    out = found
    for i in range(count):
        number = values[at + i * step]
        if seats > 1:
            number *= <int64_t>seats
            for seat in range(seats):
                number -= values[at + i * step + seat]
        out[i] = number
    return found


def differences(const int64_t[::1] a, const int64_t[::1] b):
    """a - b, number by number, as array("q")."""
    cdef size_t count = min(a.shape[0], b.shape[0]), i
    cdef int64_t[::1] out
    found = array("q", bytes(8 * count))
    if not count:
        return found
    out = found
    for i in range(count):
        out[i] = a[i] - b[i]
    return found


def sums(const int64_t[::1] values):
    """(sum, sum of squares) of numbers below 2^40 or so, exact."""
    cdef int64_t most = 0, total = 0, part, number
    cdef size_t count = values.shape[0], block, first, i, end
    for i in range(count):
        number = values[i] if values[i] >= 0 else -values[i]
        if number > most:
            most = number
        total += values[i]
    if most >= 1 << 31:
        return total, sum([int(values[i]) ** 2 for i in range(count)])
    # As many squares as fit are added up in C, before they go into an int without bounds.
    block = min(count, <size_t>((<int64_t>1 << 62) // (most * most))) if most else count
    squares, first = 0, 0
    while first < count:
        part = 0
        end = min(first + block, count)
        for i in range(first, end):
            part += values[i] * values[i]
        squares += part
        first = end
    return total, squares
