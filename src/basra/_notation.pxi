# Positions as lines of text, written and read.  A part of _core.pyx.
#
# What is written here is read here as well, in microseconds.  A text in any other form, or with
# anything wrong, is left to `basra.notation`, which knows all forms and says what is wrong.

cdef enum:
    NOTATION_ROOM = 2048  # 52 cards as they lie, as buried and as played, and some forty numbers

cdef const char *RANK_LETTERS = "A23456789TJQK"
cdef const char *SUIT_LETTERS = "CDHS"


# -- writing: each puts something at a place, and gives the place after it -------------------------

cdef char *put_text(char *at, const char *text) noexcept nogil:
    cdef size_t size = strlen(text)
    memcpy(at, text, size)
    return at + size


cdef char *put_number(char *at, const char *name, uint64_t number, bint negative) noexcept nogil:
    cdef char digits[20]
    cdef int count = 0
    at = put_text(at, name)
    if negative:
        at[0] = b"-"
        at += 1
    while True:
        digits[count] = <char>(c"0" + number % 10)
        count += 1
        number //= 10
        if not number:
            break
    while count:
        count -= 1
        at[0] = digits[count]
        at += 1
    return at


cdef char *put_signed(char *at, const char *name, int32_t number) noexcept nogil:
    return put_number(at, name, <uint64_t>(-<int64_t>number if number < 0 else number), number < 0)


cdef char *put_card(char *at, int card) noexcept nogil:
    at[0] = RANK_LETTERS[card // 4]
    at[1] = SUIT_LETTERS[card % 4]
    return at + 2


cdef char *put_set(char *at, const char *name, uint64_t cards) noexcept nogil:
    cdef int card = 0
    at = put_text(at, name)
    if not cards:
        return put_text(at, "-")
    while cards:
        if cards & 1:
            at = put_card(at, card)
        cards >>= 1
        card += 1
    return at


cdef char *put_cards(char *at, const char *name, const uint8_t *cards, int count) noexcept nogil:
    cdef int i
    at = put_text(at, name)
    if not count:
        return put_text(at, "-")
    for i in range(count):
        at = put_card(at, cards[i])
    return at


cdef char *put_plays(char *at, const c.basra_play *plays, int count) noexcept nogil:
    cdef int i
    at = put_text(at, "/played=")
    if not count:
        return put_text(at, "-")
    for i in range(count):
        at = put_text(at, "," if i else "")
        at = put_card(at, plays[i].card)
        if plays[i].taken:
            at = put_set(at, "x", plays[i].taken)
    return at


cdef char *put_position(char *at, const c.basra_position *p, int sides) noexcept nogil:
    """All but the rules and the plays."""
    cdef int i
    at = put_number(at, "/table=", p.players, False)
    at = put_text(at, "p/knows=all" if p.partners else "/knows=all")
    at = put_number(at, "/turn=", p.turn + 1, False)
    for i in range(p.players):
        at = put_set(at, ":" if i else "/hands=", p.hand[i])
    at = put_set(at, "/floor=", p.floor)
    at = put_cards(at, "/stock=", &p.stock[p.stock_next], p.stock_size - p.stock_next)
    for i in range(p.players):
        at = put_set(at, ":" if i else "/piles=", p.pile[i])
    for i in range(sides):
        at = put_number(at, ":" if i else "/cards=", p.cards[i], False)
    for i in range(sides):
        at = put_signed(at, ":" if i else "/points=", p.points[i])
    if p.last < 0:
        at = put_text(at, "/last=-")
    else:
        at = put_number(at, "/last=", p.last + 1, False)
    at = put_signed(at, "/carry=", p.carry)
    for i in range(sides):
        at = put_signed(at, ":" if i else "/match=", p.score[i])
    at = put_number(at, "/round=", <uint64_t>p.round + 1, False)
    at = put_number(at, "/seed=", p.seed, False)
    return put_cards(at, "/buried=", p.buried, p.buried_size)


cdef str written_position(PositionData data):
    """The position as its deal began, and the plays since."""
    cdef char room[NOTATION_ROOM]
    cdef c.basra_position *p = &data.position
    cdef c.basra_position start = p[0]
    cdef int since = 0
    while since < p.played and p.play[p.played - 1 - since].deal == p.deal:
        check(c.basra_position_undo(&data.rules.rules, &start))
        since += 1
    cdef char *end = put_position(room, &start, c.basra_sides(p.players, p.partners))
    end = put_plays(end, &p.play[p.played - since], since)
    return room[: end - room].decode("ascii")


# -- reading: each takes something from a place, and gives the place after it, NULL if it is not so -

cdef const char *take_text(const char *at, const char *text) noexcept nogil:
    if at == NULL:
        return NULL
    cdef size_t size = strlen(text)
    return at + size if strncmp(at, text, size) == 0 else NULL


cdef const char *take_number(const char *at, const char *name, uint64_t most,
                             uint64_t *number) noexcept nogil:
    cdef uint64_t digit
    cdef bint found = False
    at = take_text(at, name)
    number[0] = 0
    while at != NULL and c"0" <= at[0] <= c"9":
        digit = <uint64_t>(at[0] - c"0")
        if digit > most or number[0] > (most - digit) // 10:
            return NULL
        number[0] = 10 * number[0] + digit
        found = True
        at += 1
    return at if found else NULL


cdef const char *take_signed(const char *at, const char *name, int32_t *number) noexcept nogil:
    cdef uint64_t size = 0
    cdef bint negative
    at = take_text(at, name)
    negative = at != NULL and at[0] == c"-"
    at = take_number(at + 1 if negative else at, "", 1000000000, &size)
    number[0] = -<int32_t>size if negative else <int32_t>size
    return at


cdef const char *take_card(const char *at, int *card) noexcept nogil:
    cdef const char *rank
    cdef const char *suit
    if at == NULL or not at[0] or not at[1]:
        return NULL
    rank = strchr(RANK_LETTERS, at[0])
    suit = strchr(SUIT_LETTERS, at[1])
    if rank == NULL or suit == NULL:
        return NULL
    card[0] = <int>(4 * (rank - RANK_LETTERS) + (suit - SUIT_LETTERS))
    return at + 2


cdef bint at_end(const char *at) noexcept nogil:
    """Of a list of cards, or wrong."""
    return at == NULL or at[0] in (0, c":", c"/", c",", c"x")


cdef const char *take_set(const char *at, const char *name, uint64_t *cards) noexcept nogil:
    cdef int card = 0
    at = take_text(at, name)
    cards[0] = 0
    if at != NULL and at[0] == c"-":
        return at + 1
    if at_end(at):
        return NULL
    while not at_end(at):
        at = take_card(at, &card)
        if at == NULL or cards[0] >> card & 1:
            return NULL
        cards[0] |= <uint64_t>1 << card
    return at


cdef const char *take_cards(const char *at, const char *name, uint8_t *cards,
                            uint8_t *count) noexcept nogil:
    cdef int card = 0
    at = take_text(at, name)
    count[0] = 0
    if at != NULL and at[0] == c"-":
        return at + 1
    if at_end(at):
        return NULL
    while not at_end(at):
        at = take_card(at, &card)
        if at == NULL or count[0] == 52:
            return NULL
        cards[count[0]] = <uint8_t>card
        count[0] += 1
    return at


cdef const char *take_place(const char *at, const char *name, int players,
                            int8_t *seat) noexcept nogil:
    """A seat, from 1."""
    cdef uint64_t number = 0
    at = take_number(at, name, players, &number)
    seat[0] = <int8_t>(number - 1)
    return at if number else NULL


cdef const char *take_position(const char *at, c.basra_position *p) noexcept nogil:
    """All but the rules and the plays, into a position that is all zero."""
    cdef uint64_t number = 0
    cdef int8_t seat = 0
    cdef int i, sides
    at = take_number(at, "/table=", 4, &number)
    if at == NULL or number < 2:
        return NULL
    p.players = <uint8_t>number
    if at[0] == c"p":
        p.partners = 1
        at += 1
    sides = c.basra_sides(p.players, p.partners)
    at = take_place(take_text(at, "/knows=all"), "/turn=", p.players, &seat)
    p.turn = <uint8_t>seat
    for i in range(p.players):
        at = take_set(at, ":" if i else "/hands=", &p.hand[i])
    at = take_set(at, "/floor=", &p.floor)
    at = take_cards(at, "/stock=", p.stock, &p.stock_size)
    for i in range(p.players):
        at = take_set(at, ":" if i else "/piles=", &p.pile[i])
    for i in range(sides):
        at = take_number(at, ":" if i else "/cards=", 52, &number)
        p.cards[i] = <uint8_t>number
    for i in range(sides):
        at = take_signed(at, ":" if i else "/points=", &p.points[i])
    if take_text(at, "/last=-") != NULL:
        at = take_text(at, "/last=-")
        p.last = <int8_t>c.BASRA_NO_SEAT
    else:
        at = take_place(at, "/last=", p.players, &p.last)
    at = take_signed(at, "/carry=", &p.carry)
    for i in range(sides):
        at = take_signed(at, ":" if i else "/match=", &p.score[i])
    at = take_number(at, "/round=", (<uint64_t>1 << 31) - 1, &number)
    p.round = <uint32_t>(number - 1)
    if not number:
        return NULL
    at = take_number(at, "/seed=", UINT64_MAX, &p.seed)
    return take_cards(at, "/buried=", p.buried, &p.buried_size)


cdef bint play_all(const char *at, const c.basra_rules *rules, c.basra_position *p) noexcept nogil:
    """Plays the rest of a text, `card` or `cardxcards` with commas; was it that, and legal?"""
    cdef uint64_t taken
    cdef int card = 0
    at = take_text(at, "/played=")
    if at != NULL and at[0] == c"-":
        return at[1] == 0
    while True:
        taken = 0
        at = take_card(at, &card)
        if at != NULL and at[0] == c"x":
            at = take_set(at, "x", &taken)
        if at == NULL or c.basra_position_play(rules, card, taken, p) != c.BASRA_OK:
            return False
        if at[0] != c",":
            return at[0] == 0
        at += 1


cdef PositionData read_position(RulesData rules, str text):
    """A position from its text after the rules; None if it is not as `written_position` has it."""
    cdef PositionData data = PositionData.__new__(PositionData)
    cdef c.basra_fault fault = c.BASRA_FAULT_NONE
    cdef int detail = -1
    cdef bytes plain = text.encode("utf-8", "replace")
    memset(&data.position, 0, sizeof(data.position))
    data.rules = rules
    cdef const char *at = take_position(plain, &data.position)
    if at == NULL or 0 in plain:
        return None
    if c.basra_position_complete(&rules.rules, False, &data.position, &fault, &detail):
        return None
    return data if play_all(at, &rules.rules, &data.position) else None
