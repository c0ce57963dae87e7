/* The search without some of its techniques, to measure what each is worth.
 *
 * Values are right whatever is left out.  `make WITHOUT=ranges,order` defines BASRA_WITHOUT; else nothing
 * is left out, and nothing of this reaches the code.  benchmarks/ablation.py measures all of them. */
#ifndef BASRA_SEARCH_ABLATION_H
#define BASRA_SEARCH_ABLATION_H

#ifndef BASRA_WITHOUT
#define BASRA_WITHOUT 0
#endif

enum {
    TECHNIQUE_TABLE = 1 << 0, /* without: no entry is ever found */
    TECHNIQUE_SHARING = 1 << 1, /* the standing is part of the key */
    TECHNIQUE_RANGES = 1 << 2, /* a proof's range is the standing it was found for */
    TECHNIQUE_ASKING = 1 << 3, /* moves are entered without asking the table about all first */
    TECHNIQUE_BEST = 1 << 4, /* the table's best move is a move like others */
    TECHNIQUE_ORDER = 1 << 5, /* moves in canonical order */
    TECHNIQUE_GUESS = 1 << 6, /* the first question is about 0 */
    TECHNIQUE_STRIDE = 1 << 7, /* the next question is what the last answer says */
    TECHNIQUE_ENDINGS = 1 << 8, /* the last cards of a deal as all others */
    TECHNIQUE_CACHE = 1 << 9, /* captures are worked out each time */
    TECHNIQUE_PARTS = 1 << 10 /* every problem uses the whole table */
};

#define WITHOUT(technique) (((BASRA_WITHOUT) & TECHNIQUE_##technique) != 0)

#endif
