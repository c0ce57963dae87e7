/* Rule sets: the five presets, the checks, and how a pack divides into deals. */
#include "rules.h"

#define ALL_52 (BASRA_TABLE_2 | BASRA_TABLE_3 | BASRA_TABLE_4 | BASRA_TABLE_PARTNERS)
#define JACKS SET_RANK(RANK_JACK)
#define SEVEN_D SET_OF(CARD_SEVEN_DIAMONDS)

/* Ace 1 each, jack 1 each, 2C 2, TD 3: indexes are rank * 4 + suit. */
#define FAMILY_POINTS \
    {[0] = 1, [1] = 1, [2] = 1, [3] = 1, [4] = 2, [37] = 3, [40] = 1, [41] = 1, [42] = 1, [43] = 1}

typedef struct preset {
    const char *name;
    basra_rules rules;
} preset;

static const preset PRESETS[] = {
    {"classic",
     {.deck = 52,
      .tables = BASRA_TABLE_2 | BASRA_TABLE_3 | BASRA_TABLE_PARTNERS,
      .hand_size = 4,
      .floor_size = 4,
      .not_on_first_floor = JACKS | SEVEN_D,
      .bury = BASRA_BURY_RANDOM,
      .choice = BASRA_CHOICE_MAXIMAL,
      .must_capture = BASRA_MUST_CARD,
      .seven_diamonds = BASRA_SEVEN_SWEEP,
      .seven_basra = BASRA_SEVEN_BASRA_TOTAL_TEN,
      .jack_basra = 0,
      .basra_kind = BASRA_POINTS_FLAT,
      .basra_points = 10,
      .basra_on_last = 1,
      .card_points = FAMILY_POINTS,
      .most_cards = 30,
      .most_cards_tie = BASRA_TIE_CARRY,
      .target = 101}},
    {"egyptian",
     {.deck = 52,
      .tables = BASRA_TABLE_2,
      .hand_size = 4,
      .floor_size = 4,
      .not_on_first_floor = JACKS | SEVEN_D,
      .bury = BASRA_BURY_RANDOM,
      .choice = BASRA_CHOICE_MAXIMAL,
      .must_capture = BASRA_MUST_CARD,
      .seven_diamonds = BASRA_SEVEN_SWEEP,
      .seven_basra = BASRA_SEVEN_BASRA_EQUAL_GROUPS,
      .jack_basra = 10,
      .basra_kind = BASRA_POINTS_FLAT,
      .basra_points = 10,
      .basra_on_last = 1,
      .most_cards = 30,
      .most_cards_tie = BASRA_TIE_NOBODY,
      .target = 101}},
    {"palestine",
     {.deck = 44,
      .tables = BASRA_TABLE_2 | BASRA_TABLE_4 | BASRA_TABLE_PARTNERS,
      .hand_size = 4,
      .floor_size = 4,
      .not_on_first_floor = JACKS,
      .bury = BASRA_BURY_RANDOM,
      .choice = BASRA_CHOICE_ANY,
      .must_capture = BASRA_MUST_CARD,
      .seven_diamonds = BASRA_SEVEN_PLAIN,
      .seven_basra = BASRA_SEVEN_BASRA_NONE,
      .jack_basra = 0,
      .basra_kind = BASRA_POINTS_DOUBLE,
      .basra_on_last = 1,
      .card_points = FAMILY_POINTS,
      .most_cards = 3,
      .most_cards_tie = BASRA_TIE_NOBODY,
      .target = 101}},
    {"palestine-52",
     {.deck = 52,
      .tables = ALL_52,
      .hand_size = 4,
      .floor_size = 4,
      .not_on_first_floor = JACKS,
      .bury = BASRA_BURY_RANDOM,
      .choice = BASRA_CHOICE_ANY,
      .must_capture = BASRA_MUST_CARD,
      .seven_diamonds = BASRA_SEVEN_PLAIN,
      .seven_basra = BASRA_SEVEN_BASRA_NONE,
      .jack_basra = 0,
      .basra_kind = BASRA_POINTS_DOUBLE,
      .basra_on_last = 1,
      .card_points = FAMILY_POINTS,
      .most_cards = 3,
      .most_cards_tie = BASRA_TIE_NOBODY,
      .target = 101}},
    {"egyptian-v2",
     {.deck = 52,
      .tables = BASRA_TABLE_2,
      .hand_size = 4,
      .floor_size = 4,
      .not_on_first_floor = JACKS | SEVEN_D,
      .bury = BASRA_BURY_RANDOM,
      .choice = BASRA_CHOICE_MAXIMAL,
      .must_capture = BASRA_MUST_CARD,
      .seven_diamonds = BASRA_SEVEN_WILD,
      .seven_basra = BASRA_SEVEN_BASRA_AS_ANY_CARD,
      .jack_basra = 20,
      .basra_kind = BASRA_POINTS_FLAT,
      .basra_points = 10,
      .basra_on_last = 1,
      .most_cards = 30,
      .most_cards_tie = BASRA_TIE_NOBODY,
      .target = 101}},
};

enum { PRESET_COUNT = sizeof PRESETS / sizeof *PRESETS };

int basra_preset_count(void) { return PRESET_COUNT; }

const char *basra_preset_name(int index)
{
    return index < 0 || index >= PRESET_COUNT ? NULL : PRESETS[index].name;
}

const basra_rules *basra_preset_rules(int index)
{
    return index < 0 || index >= PRESET_COUNT ? NULL : &PRESETS[index].rules;
}

uint64_t basra_pack(const basra_rules *rules)
{
    return rules->deck == 44 ? SET_OF(4 * RANK_QUEEN) - 1 : SET_ALL;
}

int basra_sides(int players, int partners) { return partners ? 2 : players; }

bool rules_players_valid(int players, bool partners)
{
    return players >= 2 && players <= BASRA_MAX_PLAYERS && (!partners || players == 4);
}

static uint8_t table_bit(int players, bool partners)
{
    if (partners) return BASRA_TABLE_PARTNERS;
    return players == 2 ? BASRA_TABLE_2 : players == 3 ? BASRA_TABLE_3 : BASRA_TABLE_4;
}

/* The hand size of the first deal. */
static int first_hand(const basra_rules *rules, int players)
{
    int even = (rules->deck - rules->floor_size) / players;
    return rules->hand_size < even ? rules->hand_size : even;
}

/* What keeps a table of this size from being dealt at all. */
static basra_fault table_fault(const basra_rules *rules, int players)
{
    if ((rules->deck - rules->floor_size) % players) return BASRA_FAULT_TABLE_UNEVEN;
    int stock = rules->deck - rules->floor_size - players * first_hand(rules, players);
    /* At worst every such card turns up on the floor, and then each needs one from the stock. */
    if (rules->floor_size && stock < set_count(rules->not_on_first_floor))
        return BASRA_FAULT_FIRST_FLOOR_STOCK;
    return BASRA_FAULT_NONE;
}

static basra_fault check_points(const basra_rules *rules)
{
    const int32_t most = RULES_MAX_POINTS;
    uint64_t pack = basra_pack(rules);
    if (rules->jack_basra < 0 || rules->jack_basra > most) return BASRA_FAULT_JACK_BASRA;
    if (rules->basra_kind > BASRA_POINTS_TABLE) return BASRA_FAULT_BASRA_POINTS;
    if (rules->basra_points < 0 || rules->basra_points > most) return BASRA_FAULT_BASRA_POINTS;
    for (int rank = 0; rank < BASRA_RANKS; rank++) {
        int32_t points = rules->basra_table[rank];
        if (points < 0 || points > most) return BASRA_FAULT_BASRA_POINTS;
        if (points && rank == RANK_JACK) return BASRA_FAULT_BASRA_JACK;
        if (points && !(pack & SET_RANK(rank))) return BASRA_FAULT_BASRA_PACK;
    }
    for (int card = 0; card < BASRA_CARDS; card++) {
        int32_t points = rules->card_points[card];
        if (points < -most || points > most) return BASRA_FAULT_CARD_POINTS;
        if (points && !(pack & SET_OF(card))) return BASRA_FAULT_CARD_POINTS_PACK;
    }
    if (rules->most_cards < 0 || rules->most_cards > most) return BASRA_FAULT_MOST_CARDS;
    if (rules->target < 1 || rules->target > RULES_MAX_TARGET) return BASRA_FAULT_TARGET;
    return BASRA_FAULT_NONE;
}

static basra_fault check_choices(const basra_rules *rules)
{
    if (rules->bury > BASRA_BURY_BOTTOM) return BASRA_FAULT_BURY;
    if (rules->choice > BASRA_CHOICE_MAXIMAL) return BASRA_FAULT_CHOICE;
    if (rules->must_capture > BASRA_MUST_HAND) return BASRA_FAULT_MUST_CAPTURE;
    if (rules->seven_diamonds > BASRA_SEVEN_WILD) return BASRA_FAULT_SEVEN;
    if (rules->seven_basra > BASRA_SEVEN_BASRA_AS_ANY_CARD) return BASRA_FAULT_SEVEN_BASRA;
    if (rules->most_cards_tie > BASRA_TIE_CARRY) return BASRA_FAULT_MOST_CARDS_TIE;
    bool sweeps = rules_seven_sweeps(rules);
    bool named = rules->seven_basra != BASRA_SEVEN_BASRA_NONE;
    if (named && !sweeps) return BASRA_FAULT_SEVEN_BASRA_PLAIN;
    if (!named && sweeps) return BASRA_FAULT_SEVEN_BASRA_NONE;
    return BASRA_FAULT_NONE;
}

static basra_fault check_sizes(const basra_rules *rules)
{
    if (rules->deck != 52 && rules->deck != 44) return BASRA_FAULT_DECK;
    if (rules->hand_size < 1 || rules->hand_size > 26) return BASRA_FAULT_HAND_SIZE;
    if (rules->floor_size > rules->deck - 2) return BASRA_FAULT_FLOOR_SIZE;
    if (!rules->tables || rules->tables > ALL_52) return BASRA_FAULT_TABLES;
    if (rules->not_on_first_floor & ~basra_pack(rules)) return BASRA_FAULT_FIRST_FLOOR_PACK;
    return BASRA_FAULT_NONE;
}

/* At least one of the tables named must be playable. */
static basra_fault check_tables(const basra_rules *rules)
{
    basra_fault fault = BASRA_FAULT_TABLES;
    for (int players = 2; players <= BASRA_MAX_PLAYERS; players++) {
        uint8_t bits = table_bit(players, false);
        if (players == 4) bits |= BASRA_TABLE_PARTNERS;
        if (!(rules->tables & bits)) continue;
        fault = table_fault(rules, players);
        if (!fault) return BASRA_FAULT_NONE;
    }
    return fault == BASRA_FAULT_TABLE_UNEVEN ? BASRA_FAULT_TABLES_UNEVEN : fault;
}

basra_status basra_rules_check(const basra_rules *rules, basra_fault *fault)
{
    *fault = check_sizes(rules);
    if (!*fault) *fault = check_choices(rules);
    if (!*fault) *fault = check_points(rules);
    if (!*fault) *fault = check_tables(rules);
    return *fault ? BASRA_E_RULES : BASRA_OK;
}

basra_status basra_table_check(const basra_rules *rules, int players, int partners,
                               basra_fault *fault)
{
    *fault = BASRA_FAULT_NONE;
    if (!rules_players_valid(players, partners))
        *fault = BASRA_FAULT_TABLE;
    else if ((rules->deck - rules->floor_size) % players)
        *fault = BASRA_FAULT_TABLE_UNEVEN;
    else if (!(rules->tables & table_bit(players, partners)))
        *fault = BASRA_FAULT_TABLE;
    else
        *fault = table_fault(rules, players);
    return *fault ? BASRA_E_RULES : BASRA_OK;
}

basra_status basra_deal_sizes(const basra_rules *rules, int players, uint8_t *sizes, int *count)
{
    if (!rules_players_valid(players, false)) return BASRA_E_ARG;
    int left = (rules->deck - rules->floor_size) / players;
    *count = 0;
    while (left > 0) {
        int size = rules->hand_size < left ? rules->hand_size : left;
        sizes[(*count)++] = (uint8_t)size;
        left -= size;
    }
    return BASRA_OK;
}

void basra_majority(const basra_rules *rules, int sides, const int *cards, int32_t carry,
                    int32_t *points, int32_t *carry_after)
{
    int best = 0;
    for (int side = 1; side < sides; side++)
        if (cards[side] > cards[best]) best = side;
    bool alone = true;
    for (int side = 0; side < sides; side++) {
        points[side] = 0;
        if (side != best && cards[side] == cards[best]) alone = false;
    }
    int32_t bonus = rules_bonus(rules, carry);
    *carry_after = 0;
    if (alone)
        points[best] = bonus;
    else if (rules->most_cards_tie == BASRA_TIE_CARRY)
        *carry_after = bonus;
}

int basra_match_winner(const basra_rules *rules, int sides, const int32_t *scores)
{
    int best = 0;
    bool alone = true;
    for (int side = 1; side < sides; side++) {
        if (scores[side] == scores[best]) alone = false;
        if (scores[side] > scores[best]) best = side, alone = true;
    }
    return alone && scores[best] >= rules->target ? best : BASRA_NO_SEAT;
}
