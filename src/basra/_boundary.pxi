# What training needs of boundaries, from inside the core.  A part of _core.pyx.

cdef extern from "model/boundary.h" nogil:
    ctypedef struct card_types:
        int count
    ctypedef uint64_t bag
    void types_init(const c.basra_rules *rules, bint identity, card_types *types)
    bag types_bag(const card_types *types, uint64_t set)
    int boundary_feature_count "boundary_features"(const card_types *types)
    int boundary_active_features "boundary_active"(const card_types *types, bag floor,
                                                   uint64_t unseen, uint16_t *index)

cdef extern from "search/evaluate.h" nogil:
    void expect_majority(int sides, const int *cards, int left, int32_t bonus, int32_t *share)


def boundary_features(RulesData rules):
    """How many features a boundary has under these rules."""
    cdef card_types types
    types_init(&rules.rules, False, &types)
    return boundary_feature_count(&types)


def boundary_active(RulesData rules, uint64_t floor, uint64_t unseen):
    """The features of a floor and the cards unseen: numbers in ascending order of their kinds."""
    cdef card_types types
    cdef uint16_t index[108]
    types_init(&rules.rules, False, &types)
    cdef int i, count = boundary_active_features(&types, types_bag(&types, floor), unseen, index)
    return [index[i] for i in range(count)]


def majority_shares(list cards, int left, int bonus):
    """Expected most-cards points of each side, in the core's units; bonus in points."""
    cdef int counts[4]
    cdef int32_t share[4]
    cdef int i, sides = len(cards)
    if not 2 <= sides <= 4:
        raise IndexError(sides)
    for i in range(sides):
        counts[i] = cards[i]
    expect_majority(sides, counts, left, bonus * c.BASRA_UNIT, share)
    return [share[i] for i in range(sides)]
