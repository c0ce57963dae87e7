#include "rules_text.h"

#include <stdlib.h>
#include <string.h>

/* A piece of a text. */
typedef struct word {
    const char *at;
    size_t size;
} word;

static int same(word w, const char *text)
{
    return strlen(text) == w.size && !memcmp(text, w.at, w.size);
}

/* Cuts off what stands before the first `mark`, or all; 0 when nothing is left. */
static int cut(word *rest, char mark, word *piece)
{
    if (!rest->at) return 0;
    const char *found = memchr(rest->at, mark, rest->size);
    *piece = (word){rest->at, found ? (size_t)(found - rest->at) : rest->size};
    size_t gone = piece->size + 1;
    *rest = found ? (word){rest->at + gone, rest->size - gone} : (word){NULL, 0};
    return 1;
}

static int read_number(word w, int32_t *number)
{
    int negative = w.size && w.at[0] == '-';
    size_t i = (size_t)negative;
    int32_t n = 0;
    if (i == w.size || w.size > 7) return 0;
    for (; i < w.size; i++) {
        if (w.at[i] < '0' || w.at[i] > '9') return 0;
        n = 10 * n + w.at[i] - '0';
    }
    *number = negative ? -n : n;
    return 1;
}

static int read_byte(word w, uint8_t *number)
{
    int32_t n;
    if (!read_number(w, &n) || n < 0 || n > 255) return 0;
    *number = (uint8_t)n;
    return 1;
}

/* The place of a word among names; they end with NULL. */
static int read_name(word w, const char *const *names, uint8_t *number)
{
    for (int i = 0; names[i]; i++)
        if (same(w, names[i])) {
            *number = (uint8_t)i;
            return 1;
        }
    return 0;
}

static int index_of(const char *letters, char letter)
{
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? (int)(found - letters) : -1;
}

/* Pairs of a rank or card and its points: whole ranks first, as single cards go before them. */
static int read_table(word text, int32_t *by_card)
{
    word rest, pair, key;
    memset(by_card, 0, BASRA_CARDS * sizeof *by_card);
    if (same(text, "none")) return 1;
    for (size_t size = 1; size <= 2; size++) {
        for (rest = text; cut(&rest, ',', &pair);) {
            int32_t points;
            if (!cut(&pair, '.', &key) || !pair.at || !read_number(pair, &points)) return 0;
            int rank = key.size ? index_of("A23456789TJQK", key.at[0]) : -1;
            int suit = key.size == 2 ? index_of("CDHS", key.at[1]) : 0;
            if (rank < 0 || suit < 0 || key.size > 2) return 0;
            if (key.size != size) continue;
            int first = 4 * rank + suit, last = size == 1 ? first + 3 : first;
            for (int card = first; card <= last; card++) by_card[card] = points;
        }
    }
    return 1;
}

static int read_basra_points(word w, basra_rules *rules)
{
    int32_t by_card[BASRA_CARDS];
    memset(rules->basra_table, 0, sizeof rules->basra_table);
    rules->basra_points = 0;
    rules->basra_kind = BASRA_POINTS_FLAT;
    if (read_number(w, &rules->basra_points)) return 1;
    rules->basra_kind = BASRA_POINTS_DOUBLE;
    if (same(w, "double")) return 1;
    rules->basra_kind = BASRA_POINTS_TABLE;
    if (!read_table(w, by_card)) return 0;
    for (int rank = 0; rank < BASRA_RANKS; rank++) rules->basra_table[rank] = by_card[4 * rank];
    return 1;
}

static int read_change(word key, word w, basra_rules *rules)
{
    static const char *const choices[] = {"any", "maximal", NULL};
    static const char *const duties[] = {"none", "card", "hand", NULL};
    static const char *const sevens[] = {"plain", "sweep", "wild", NULL};
    static const char *const basras[] = {"none", "total_ten", "equal_groups", "as_any_card", NULL};
    static const char *const ties[] = {"nobody", "carry", NULL};
    static const char *const truths[] = {"false", "true", NULL};
    if (same(key, "choice")) return read_name(w, choices, &rules->choice);
    if (same(key, "must_capture")) return read_name(w, duties, &rules->must_capture);
    if (same(key, "seven_diamonds")) return read_name(w, sevens, &rules->seven_diamonds);
    if (same(key, "seven_basra")) return read_name(w, basras, &rules->seven_basra);
    if (same(key, "most_cards_tie")) return read_name(w, ties, &rules->most_cards_tie);
    if (same(key, "basra_on_last")) return read_name(w, truths, &rules->basra_on_last);
    if (same(key, "hand_size")) return read_byte(w, &rules->hand_size);
    if (same(key, "floor_size")) return read_byte(w, &rules->floor_size);
    if (same(key, "jack_basra")) return read_number(w, &rules->jack_basra);
    if (same(key, "most_cards")) return read_number(w, &rules->most_cards);
    if (same(key, "target")) return read_number(w, &rules->target);
    if (same(key, "card_points")) return read_table(w, rules->card_points);
    if (same(key, "basra_points")) return read_basra_points(w, rules);
    return 0;
}

static int read_preset(word name, basra_rules *rules)
{
    for (int i = 0; i < basra_preset_count(); i++)
        if (same(name, basra_preset_name(i))) {
            *rules = *basra_preset_rules(i);
            return 1;
        }
    return 0;
}

int rules_text_read(const char *text, basra_rules *rules)
{
    word rest = {text, strlen(text)}, value, key;
    basra_fault fault;
    if (!cut(&rest, '+', &key) || !read_preset(key, rules)) return 0;
    while (cut(&rest, '+', &value))
        if (!cut(&value, '=', &key) || !value.at || !read_change(key, value, rules)) return 0;
    return !basra_rules_check(rules, &fault);
}
