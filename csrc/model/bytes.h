/* Numbers out of the bytes of a file, little-endian, never beyond their end. */
#ifndef BASRA_MODEL_BYTES_H
#define BASRA_MODEL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct byte_reader {
    const uint8_t *at, *end;
    bool failed; /* more was asked for than there is; what was read is 0 */
} byte_reader;

static inline byte_reader bytes_open(const uint8_t *bytes, size_t size)
{
    return (byte_reader){bytes, bytes + size, false};
}

static inline uint64_t bytes_take(byte_reader *r, int count)
{
    uint64_t n = 0;
    if (r->end - r->at < count) {
        r->failed = true;
        return 0;
    }
    for (int i = 0; i < count; i++) n |= (uint64_t)r->at[i] << (8 * i);
    r->at += count;
    return n;
}

static inline uint8_t bytes_u8(byte_reader *r) { return (uint8_t)bytes_take(r, 1); }
static inline uint16_t bytes_u16(byte_reader *r) { return (uint16_t)bytes_take(r, 2); }
static inline int16_t bytes_i16(byte_reader *r) { return (int16_t)bytes_take(r, 2); }
static inline uint32_t bytes_u32(byte_reader *r) { return (uint32_t)bytes_take(r, 4); }
static inline int32_t bytes_i32(byte_reader *r) { return (int32_t)bytes_take(r, 4); }
static inline uint64_t bytes_u64(byte_reader *r) { return bytes_take(r, 8); }

/* All read, and no more was asked for. */
static inline bool bytes_done(const byte_reader *r) { return !r->failed && r->at == r->end; }

#endif
