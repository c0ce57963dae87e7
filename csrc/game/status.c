/* Texts of status codes and faults.  A fault names the field it is about, what is wrong, and what
 * to do; the caller adds the value. */
#include "../basra.h"

static const char *const STATUS_TEXT[BASRA_STATUS_END] = {
    [BASRA_OK] = "done",
    [BASRA_E_NOMEM] = "out of memory",
    [BASRA_E_ARG] = "an argument is outside its range",
    [BASRA_E_CARD] = "a card is outside the pack, or stands in two places",
    [BASRA_E_RULES] = "the rules contradict themselves, or do not allow this table",
    [BASRA_E_POSITION] = "the position is impossible under the rules",
    [BASRA_E_MOVE] = "the move is not legal here",
    [BASRA_E_OVER] = "the round is over, or is not over yet",
    [BASRA_E_KNOWLEDGE] = "no deal of the cards fits what the seat knows",
    [BASRA_E_TOO_LARGE] = "one card has more than 65,536 captures",
    [BASRA_E_BUSY] = "the engine is in a call already",
    [BASRA_E_BOUNDS] = "the output array is too small",
    [BASRA_E_STOPPED] = "stopped before any result was reached",
    [BASRA_E_INTERNAL] = "internal error",
};

const char *basra_status_text(int status)
{
    if (status < 0 || status >= BASRA_STATUS_END) return "unknown status";
    return STATUS_TEXT[status];
}

typedef struct fault_text {
    const char *field, *text, *fix;
} fault_text;

static const fault_text FAULTS[BASRA_FAULT_END] = {
    [BASRA_FAULT_NONE] = {"", "nothing is wrong", ""},
    [BASRA_FAULT_DECK] = {"deck", "a pack has 52 cards, or 44 without queens and kings",
                          "use 52 or 44"},
    [BASRA_FAULT_HAND_SIZE] = {"hand_size", "a hand has 1 to 26 cards", "use 4, or 1 to 26"},
    [BASRA_FAULT_FLOOR_SIZE] = {"floor_size", "the first floor leaves no cards to deal",
                                "use 4, or 0 to two cards less than the pack"},
    [BASRA_FAULT_TABLES] = {"tables", "no table is allowed",
                            "list some of \"2\", \"3\", \"4\", \"partners\""},
    [BASRA_FAULT_TABLES_UNEVEN] = {"tables",
                                   "the pack less the first floor divides evenly among none of the "
                                   "tables listed",
                                   "change floor_size, or allow another number of players"},
    [BASRA_FAULT_TABLE] = {"players", "the rules do not allow this table",
                           "choose a table that the rules list"},
    [BASRA_FAULT_TABLE_UNEVEN] = {"players",
                                  "the pack less the first floor does not divide evenly among them",
                                  "choose another number of players, or another floor_size"},
    [BASRA_FAULT_FIRST_FLOOR_PACK] = {"not_on_first_floor", "names a card outside the pack in use",
                                      "name only cards of the pack"},
    [BASRA_FAULT_FIRST_FLOOR_STOCK] = {"not_on_first_floor",
                                       "the stock could run out while such cards are replaced",
                                       "name fewer cards, or make hand_size or floor_size smaller"},
    [BASRA_FAULT_BURY] = {"bury", "is not a way to bury cards", "use \"random\" or \"bottom\""},
    [BASRA_FAULT_CHOICE] = {"choice", "is not a choice of captures", "use \"any\" or \"maximal\""},
    [BASRA_FAULT_MUST_CAPTURE] = {"must_capture", "is not a capture duty",
                                  "use \"none\", \"card\" or \"hand\""},
    [BASRA_FAULT_SEVEN] = {"seven_diamonds", "is not a power of the 7D",
                           "use \"plain\", \"sweep\" or \"wild\""},
    [BASRA_FAULT_SEVEN_BASRA] = {"seven_basra", "is not a basra rule of the 7D",
                                 "use \"total_ten\", \"equal_groups\" or \"as_any_card\""},
    [BASRA_FAULT_SEVEN_BASRA_PLAIN] = {"seven_basra", "a plain 7D has no basra rule of its own",
                                       "leave seven_basra out, or let seven_diamonds be \"sweep\" "
                                       "or \"wild\""},
    [BASRA_FAULT_SEVEN_BASRA_NONE] = {"seven_basra", "a 7D that sweeps needs a basra rule",
                                      "set seven_basra to \"total_ten\", \"equal_groups\" or "
                                      "\"as_any_card\""},
    [BASRA_FAULT_JACK_BASRA] = {"jack_basra", "must be 0 to 1000 points", "use 0 for none"},
    [BASRA_FAULT_BASRA_POINTS] = {"basra_points", "must be 0 to 1000 points",
                                  "use a number, \"double\", or a table by rank"},
    [BASRA_FAULT_BASRA_JACK] = {"basra_points", "has an entry for the jack",
                                "leave J out and set jack_basra"},
    [BASRA_FAULT_BASRA_PACK] = {"basra_points", "names a rank outside the pack in use",
                                "name only ranks of the pack"},
    [BASRA_FAULT_CARD_POINTS] = {"card_points", "must be -1000 to 1000 points a card",
                                 "use smaller numbers"},
    [BASRA_FAULT_CARD_POINTS_PACK] = {"card_points", "names a card outside the pack in use",
                                      "name only cards of the pack"},
    [BASRA_FAULT_MOST_CARDS] = {"most_cards", "must be 0 to 1000 points", "use 0 for none"},
    [BASRA_FAULT_MOST_CARDS_TIE] = {"most_cards_tie", "is not a way to settle a tie",
                                    "use \"nobody\" or \"carry\""},
    [BASRA_FAULT_TARGET] = {"target", "must be 1 to 1,000,000 points", "101 is usual"},
    [BASRA_FAULT_CARD_OUTSIDE_PACK] = {"card", "is not in the pack in use",
                                       "leave it out, or use rules with 52 cards"},
    [BASRA_FAULT_CARD_TWICE] = {"card", "stands in two places", "name each card once"},
    [BASRA_FAULT_HAND_EMPTY] = {"hand", "is empty", "name the cards in your hand"},
    [BASRA_FAULT_HAND_TOO_LARGE] = {"hand", "has more cards than a deal gives",
                                    "name only the cards in your hand"},
    [BASRA_FAULT_HANDS_UNEVEN] = {"hands",
                                  "seats that have played in this turn of the table hold one card "
                                  "less, all others as many as the seat to move",
                                  "list the seat to move first, then in order of play"},
    [BASRA_FAULT_STOCK_UNEVEN] = {"stock", "does not divide evenly among the players",
                                  "list every undealt card"},
    [BASRA_FAULT_COUNTS] = {"cards", "are more than the pack has left", "count again"},
    [BASRA_FAULT_COUNTS_ADD_UP] = {"cards",
                                   "captured cards do not add up with the rest of the pack",
                                   "count the piles again, capturing cards included"},
    [BASRA_FAULT_COUNT_ONE] = {"cards", "nobody can have captured exactly one card",
                               "count the capturing card too"},
    [BASRA_FAULT_LAST] = {"last", "is not a seat of this table", "name a seat, or none"},
    [BASRA_FAULT_LAST_NONE] = {"last", "is none, but cards have been captured",
                               "say who captured last"},
    [BASRA_FAULT_LAST_NOTHING] = {"last", "names a side that has captured nothing",
                                  "correct last or cards"},
    [BASRA_FAULT_LAST_PLAYED] = {"last", "contradicts the plays of this deal",
                                 "leave last out, or correct played"},
    [BASRA_FAULT_COUNTS_PLAYED] = {"cards", "are fewer than the plays of this deal took",
                                   "count the piles again, this deal's captures included"},
    [BASRA_FAULT_CARRY] = {"carry", "must be 0 to 100,000 points, and 0 where ties are not carried",
                           "use 0, or rules with most_cards_tie = \"carry\""},
    [BASRA_FAULT_SEAT] = {"seat", "is not a seat of this table",
                          "use 1 for the seat that leads, up to the number of players"},
    [BASRA_FAULT_SEAT_PLAYED] = {"seat", "contradicts the plays of this deal",
                                 "leave seat out, or list every play of this deal"},
    [BASRA_FAULT_DEAL] = {"deal", "is not a deal of this round", "use 1 up to the last deal"},
    [BASRA_FAULT_DEAL_FIT] = {"deal", "does not fit the cards given",
                              "leave deal out, or correct hand, floor and seen"},
    [BASRA_FAULT_DEAL_NONE] = {"floor", "no deal of the round fits the cards given",
                               "check hand, floor, seen, seat and players"},
    [BASRA_FAULT_SEEN_TOO_MANY] = {"seen", "has more cards than can have been taken by now",
                                   "leave out cards that are still in play, or correct deal"},
    [BASRA_FAULT_SEEN_PLAYED] = {"played", "has a card that cannot be where the plays put it",
                                 "list the plays of this deal, and floor and seen as of now"},
    [BASRA_FAULT_FLOOR_FIRST] = {"floor", "must be the first floor when nothing has been played",
                                 "name every card of the first floor, or say which deal it is"},
    [BASRA_FAULT_FLOOR_FORBIDDEN] = {"floor", "has a card that may not lie on the first floor",
                                     "replace it, and name it in buried"},
    [BASRA_FAULT_PLAYED_HAND_SIZE] = {"played", "does not fit the number of cards in hand",
                                      "list every play of this deal from its first"},
    [BASRA_FAULT_PLAYED_ILLEGAL] = {"played", "has a play that was not legal",
                                    "check what the card could take"},
    [BASRA_FAULT_PLAYED_FLOOR] = {"played", "has a play that does not fit the floor",
                                  "give floor as of now, and every play of this deal"},
    [BASRA_FAULT_PLAYED_OWN] = {"played", "has one of your own plays that your hand did not allow",
                                "with must_capture = \"hand\" a capturing card must be played"},
    [BASRA_FAULT_BURIED_TWICE] = {"buried", "has a card twice", "name each card once"},
    [BASRA_FAULT_BURIED_KIND] = {"buried", "has a card that may lie on the first floor",
                                 "only replaced cards are shown and buried"},
    [BASRA_FAULT_BURIED_IN_DEAL_ONE] = {"buried", "has a card that is in play in the first deal",
                                        "a card put back into the stock is in no first hand"},
    [BASRA_FAULT_BURIED_TOO_EARLY] = {"buried",
                                      "has a card in play before it can have been dealt again",
                                      "check deal, floor and seen"},
    [BASRA_FAULT_BURIED_TOO_MANY] = {"buried", "has more cards than the stock holds",
                                     "name only cards that are still undealt or in hidden hands"},
    [BASRA_FAULT_BURIED_PLACE] = {"buried",
                                  "has a card that is not where the bottom of the stock "
                                  "puts it",
                                  "list them in the order found, and check deal, hand and seen"},
    [BASRA_FAULT_SCORE] = {"match", "must be -1,000,000,000 to 1,000,000,000",
                           "give the scores before this round"},
    [BASRA_FAULT_POINTS] = {"points", "must be -100,000 to 100,000",
                            "give the points banked so far"},
};

static const fault_text *fault_entry(int fault)
{
    return &FAULTS[fault < 0 || fault >= BASRA_FAULT_END ? BASRA_FAULT_NONE : fault];
}

const char *basra_fault_field(int fault) { return fault_entry(fault)->field; }
const char *basra_fault_text(int fault) { return fault_entry(fault)->text; }
const char *basra_fault_fix(int fault) { return fault_entry(fault)->fix; }
