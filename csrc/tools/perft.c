/* perft PRESET PLAYERS[p] SEED DEPTH: counts of move sequences, ply by ply.
 *
 * PLAYERS is 2, 3 or 4, with a p for partnerships.  The round is the one that the seed deals to a
 * table led by seat 0.
 */
#include "basra.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const basra_rules *find_preset(const char *name)
{
    for (int i = 0; i < basra_preset_count(); i++)
        if (!strcmp(basra_preset_name(i), name)) return basra_preset_rules(i);
    return NULL;
}

/* A whole decimal number up to `most`. */
static int read_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && !*end && !errno && *number <= most;
}

static int read_table(const char *text, int *players, int *partners)
{
    *players = text[0] - '0';
    *partners = text[0] && text[1] == 'p';
    return *players >= 2 && *players <= BASRA_MAX_PLAYERS && !text[1 + *partners];
}

int main(int argc, char **argv)
{
    static basra_position position;
    uint64_t seed, depth, count;
    int players, partners;
    const basra_rules *rules = argc == 5 ? find_preset(argv[1]) : NULL;
    if (!rules || !read_table(argv[2], &players, &partners) ||
        !read_number(argv[3], UINT64_MAX, &seed) || !read_number(argv[4], BASRA_CARDS, &depth)) {
        fprintf(stderr, "usage: perft PRESET PLAYERS[p] SEED DEPTH\npresets:");
        for (int i = 0; i < basra_preset_count(); i++) fprintf(stderr, " %s", basra_preset_name(i));
        fprintf(stderr, "\n");
        return 2;
    }
    basra_status status = basra_position_deal(rules, players, partners, 0, seed, &position);
    for (int ply = 0; !status && ply <= (int)depth; ply++) {
        status = basra_perft(rules, &position, ply, NULL, NULL, &count);
        if (!status) printf("%d %" PRIu64 "\n", ply, count);
    }
    if (status) fprintf(stderr, "perft: %s\n", basra_status_text((int)status));
    return status ? 1 : 0;
}
