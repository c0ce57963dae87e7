/* The match equity of two sides: reading its part of a file, and looking chances up.
 *
 * The part, little-endian: i32 target, i32 lowest, u16 across, u16 carries, u16 unit, u8 plies,
 * u8 differences, u8 totals, then the numbers of equity_table.data in their order, u16 each. */
#include "equity.h"

#include "../game/memory.h"
#include "bytes.h"

enum { ACROSS_MOST = 1024, CARRIES_MOST = 8, COEFFICIENTS = 7 };

static size_t row_size(const equity_table *t)
{
    return COEFFICIENTS + (size_t)t->totals + (size_t)t->differences;
}

static size_t grid_size(const equity_table *t) { return (size_t)t->across * (size_t)t->across; }

/* Fields within their bounds, which also keeps every product below small. */
static bool fields_sound(const basra_rules *rules, const equity_table *t)
{
    if (t->target < 1 || t->target > RULES_MAX_TARGET || t->lowest > 0) return false;
    if (t->across < 1 || t->across > ACROSS_MOST) return false;
    if ((int64_t)t->lowest + t->across != t->target) return false;
    if (t->carries < 1 || t->carries > CARRIES_MOST) return false;
    if (t->unit != (rules->most_cards ? rules->most_cards : 1)) return false;
    if (t->plies != rules->deck - rules->floor_size) return false;
    return t->differences >= 2 && t->differences <= OUTLOOK_MOST && t->totals >= 1 &&
           t->totals <= OUTLOOK_MOST;
}

/* A better value is never worse, and deviations ascend. */
static bool outlook_sound(const equity_table *t)
{
    for (int ply = 1; ply <= t->plies; ply++) {
        equity_outlook o = equity_outlook_at(t, ply);
        if (o.most_value < 0 || o.rest_value < 0) return false;
        for (int i = 1; i < o.differences; i++)
            if (o.difference[i] < o.difference[i - 1]) return false;
    }
    return true;
}

/* More of its own points never makes a side's chance worse. */
static bool grid_sound(const equity_table *t)
{
    size_t across = (size_t)t->across, all = grid_size(t) * (size_t)t->carries;
    for (size_t i = 0; i < all; i++) {
        if (i % across && t->grid[i] > t->grid[i - 1]) return false;
        if (i / across % across && t->grid[i] < t->grid[i - across]) return false;
    }
    return true;
}

static void read_fields(byte_reader *r, equity_table *t)
{
    t->target = bytes_i32(r);
    t->lowest = bytes_i32(r);
    t->across = bytes_u16(r);
    t->carries = bytes_u16(r);
    t->unit = bytes_u16(r);
    t->plies = bytes_u8(r);
    t->differences = bytes_u8(r);
    t->totals = bytes_u8(r);
}

basra_status equity_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                         equity_table **made)
{
    byte_reader r = bytes_open(bytes, size);
    equity_table head = {0};
    *made = NULL;
    read_fields(&r, &head);
    if (r.failed || !fields_sound(rules, &head)) return BASRA_E_MODEL;
    size_t carries = (size_t)head.carries;
    size_t count = carries + carries * grid_size(&head) + (size_t)head.plies * row_size(&head);
    if ((size_t)(r.end - r.at) != count * sizeof(uint16_t)) return BASRA_E_MODEL;
    equity_table *t = basra_malloc(sizeof *t + count * sizeof *t->data);
    if (!t) return BASRA_E_NOMEM;
    *t = head;
    for (size_t i = 0; i < count; i++) t->data[i] = bytes_u16(&r);
    t->tied = t->data;
    t->grid = t->tied + carries;
    t->outlook = t->grid + carries * grid_size(t);
    bool sound = bytes_done(&r) && outlook_sound(t) && grid_sound(t);
    if (sound && t->target == rules->target)
        *made = t;
    else
        basra_free(t);
    return sound ? BASRA_OK : BASRA_E_MODEL;
}

void equity_free(equity_table *made) { basra_free(made); }

/* Where an open score stands in the grid; the table ends where more points make no difference. */
static int32_t place_of(const equity_table *t, int32_t score)
{
    if (score <= t->lowest) return 0;
    return score < t->target ? score - t->lowest : t->across - 1;
}

/* Of the leading side, with one of the numbers of waiting points told apart. */
static int64_t chance_with(const equity_table *t, int32_t own, int32_t other, int carry)
{
    if (own >= t->target && other >= t->target) return t->tied[carry];
    const uint16_t *grid = t->grid + (size_t)carry * grid_size(t);
    return grid[place_of(t, own) * t->across + place_of(t, other)];
}

int32_t equity_chance(const equity_table *t, const int32_t *scores, int32_t carry, int leader)
{
    int32_t own = scores[leader], other = scores[1 - leader];
    bool reached = own >= t->target || other >= t->target;
    if (reached && own != other) return scores[0] > scores[1] ? EQUITY_SURE : 0;
    int32_t whole = carry / t->unit, part = carry % t->unit;
    if (whole >= t->carries - 1) whole = t->carries - 1, part = 0;
    int64_t chance = chance_with(t, own, other, whole);
    if (part) {
        int64_t more = chance_with(t, own, other, whole + 1);
        chance += (more - chance) * part / t->unit;
    }
    return (int32_t)(leader ? EQUITY_SURE - chance : chance);
}

equity_outlook equity_outlook_at(const equity_table *t, int plies)
{
    int at = plies < 1 ? 1 : plies > t->plies ? t->plies : plies;
    const int16_t *row = (const int16_t *)t->outlook + (size_t)(at - 1) * row_size(t);
    return (equity_outlook){.most = row[0],
                            .most_now = row[1],
                            .most_value = row[2],
                            .rest = row[3],
                            .rest_now = row[4],
                            .rest_most = row[5],
                            .rest_value = row[6],
                            .totals = t->totals,
                            .total = row + COEFFICIENTS,
                            .differences = t->differences,
                            .difference = row + COEFFICIENTS + t->totals};
}
