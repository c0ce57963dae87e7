/* Models: what was fitted for one rule set, in parts that each have a file of their own here.
 *
 * A file is a head, a list of parts and their bytes, all numbers little-endian:
 *   8 bytes "BASRAMDL", u32 version, u32 number of parts, u64 number of the rules, u32 size of the file,
 *   u32 CRC-32 of all bytes with this number as 0; then for each part u16 kind, u8 table, u8 stage,
 *   u32 offset from the file's start, u32 size.
 */
#ifndef BASRA_MODEL_MODEL_H
#define BASRA_MODEL_MODEL_H

#include "boundary.h"
#include "equity.h"
#include "policy.h"

enum { MODEL_VERSION = 1 };

/* Tables that a part can be for: 2, 3 or 4 players alone, or partners. */
enum { MODEL_TABLES = 4, MODEL_STAGES = 16 };

/* Kinds of parts. */
enum { PART_BOUNDARY = 1, PART_POLICY = 2, PART_EQUITY = 3 };

struct basra_model {
    uint64_t rules_number;
    policy_net *policy; /* NULL: none */
    /* By table, and by deals still to come at the boundary; NULL: none. */
    boundary_net *boundary[MODEL_TABLES][MODEL_STAGES];
    equity_table *equity[MODEL_TABLES]; /* NULL: none */
};

static inline int model_table(int players, bool partners) { return partners ? 3 : players - 2; }

/* What a boundary net tells at a table: two numbers for two sides, else one for each player. */
static inline int model_outputs(int table) { return table == 1 || table == 2 ? table + 2 : 2; }

/* The net for a boundary, or NULL where there is none, or no model. */
static inline const boundary_net *model_boundary(const basra_model *model, int players,
                                                 bool partners, int deals_left)
{
    if (!model || deals_left < 1 || deals_left >= MODEL_STAGES) return NULL;
    return model->boundary[model_table(players, partners)][deals_left];
}

#endif
