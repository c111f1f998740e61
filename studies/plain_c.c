/* Middle-Ages with the players `random` and `greedy`, in plain C: the yardstick of `python -m studies.plain_c`.
 *
 * Written from the rulings, with the booklet's rules and the usual readings (tokens shared, one of each kind in a slot,
 * owners choose what they lose, nobody goes into debt).  The numbers of the rules are in rules.h, which the study makes
 * of the rule file.  Chance comes from the same addresses of the same Philox streams as in our kernel, so that every
 * game has the same outcome.  It keeps no statistics but final coins, places and shares.
 */
#include <stdint.h>
#include <string.h>
#include "rules.h" /* TILES, tiles, BLUE, orange, EVENTS, events, CARDS, deck_of_events, per_domain, lists, ... */

enum { FIELD, MILL, VILLAGE, RAMPART, MARKET, BARRACKS, CHURCH, PALACE, DOMAINS };
enum { LORD, SCOUT, CEMETERY, EXTRA, PLOT, LOSS };
enum { RANDOM, GREEDY };
enum { SHUFFLE = 1, DECISION = 3, REDRAW = 5 };                      /* purposes of streams */
enum { OF_BLUE, OF_EVENTS, OF_ORANGE, OF_DISCARDS };                 /* what is shuffled */
enum { SEATS = 5, ROWS = 4, ROUNDS = 16, REFILLS = 12, DRAWN = 4, EVENT_SLOT = 8 };

typedef struct {
    int coins, peasants, chests, buried, scout;
    unsigned extras, plots, built;
    int tiles[DOMAINS];
    int32_t income[DOMAINS], gain[DOMAINS][DOMAINS];                 /* what one more tile adds to each Income */
    uint8_t lists[DOMAINS], column[DOMAINS][ROUNDS], cemetery[ROUNDS];
} Player;

typedef struct {
    uint32_t key[2], game[2];
    int players, policy, round, domain, extra_left, plot_left[DOMAINS];
    int drawn, stack, stacks, discarded;
    uint8_t deck[TILES], discards[TILES], cards[CARDS], row[ROWS][SEATS + 1], lords[ROWS][SEATS + 1];
    unsigned occupied[ROWS], reserved[ROWS];
    int at_hand[SEATS];                                              /* number of the block of a seat's decisions */
    uint32_t words[SEATS][4];
    Player player[SEATS];
} Table;

/* --- chance --- */

static inline void block(const Table *t, int purpose, int slot, int attempt, uint32_t number, uint32_t out[4]) {
    uint32_t c0 = number, c1 = (uint32_t)purpose << 24 | (uint32_t)slot << 8 | (uint32_t)attempt;
    uint32_t c2 = t->game[0], c3 = t->game[1], k0 = t->key[0], k1 = t->key[1];
    for (int i = 0; i < 10; i++) {
        uint64_t p0 = 0xD2511F53ull * c0, p1 = 0xCD9E8D57ull * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0, c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1, c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}

static int bounded(const Table *t, int seat, uint32_t number, uint32_t bound) {
    for (int attempt = 0; attempt < 256; attempt++) {
        uint32_t words[4];
        block(t, REDRAW, seat, attempt, number, words);
        uint64_t scaled = (uint64_t)words[0] * bound;
        uint32_t low = (uint32_t)scaled;
        if (low >= bound || low >= (uint32_t)((1ull << 32) - bound) % bound) return (int)(scaled >> 32);
    }
    return 0;
}

/* Draw from 0..bound-1: sixteen bits of the block of a seat's decision. */
static int decide(Table *t, int seat, int slot, int lane, uint32_t bound) {
    if (t->at_hand[seat] != slot) {
        block(t, DECISION, seat, 0, (uint32_t)slot, t->words[seat]);
        t->at_hand[seat] = slot;
    }
    uint32_t scaled = (t->words[seat][lane >> 1] >> (lane & 1) * 16 & 0xFFFF) * bound, low = scaled & 0xFFFF;
    if (low < bound && low < (65536 - bound) % bound) return bounded(t, seat, (uint32_t)(slot * 8 + lane), bound);
    return (int)(scaled >> 16);
}

static inline void swap(uint8_t *items, int one, int other) {
    uint8_t item = items[one];
    items[one] = items[other];
    items[other] = item;
}

/* Bring a random arrangement of `wanted` of `size` items to the front; one word serves four swaps. */
static void shuffle(const Table *t, int slot, uint8_t *items, int size, int wanted) {
    uint32_t words[4];
    for (int done = 0; done < wanted; done += 4) {
        if ((done & 15) == 0) block(t, SHUFFLE, slot, 0, (uint32_t)done >> 4, words);
        uint32_t word = words[done >> 2 & 3], bounds[4], product = 1, low;
        int places[4];
        for (int i = 0; i < 4; i++) {
            bounds[i] = size - done - i > 1 ? (uint32_t)(size - done - i) : 1;
            product *= bounds[i];
        }
        for (int attempt = 0;;) {
            low = word;
            for (int i = 0; i < 4; i++) {
                uint64_t scaled = (uint64_t)low * bounds[i];
                places[i] = (int)(scaled >> 32), low = (uint32_t)scaled;
            }
            if (low >= product || low >= (uint32_t)((1ull << 32) - product) % product || attempt == 255) break;
            uint32_t more[4];
            block(t, SHUFFLE, slot, ++attempt, (uint32_t)done, more);
            word = more[0];
        }
        for (int i = 0; i < 4 && done + i < wanted; i++) swap(items, done + i, done + i + places[i]);
    }
}

/* --- players --- */

static inline int payable(const Player *p, int amount) {
    int paid = amount < p->coins ? amount : p->coins;
    return paid > 0 ? paid : 0;
}

static inline int rate(const Player *p, int slot) {
    return per_domain[slot] + (p->extras >> slot & 1 ? EXTRA_COIN : 0);
}

static inline int counted(const Player *p, int slot) {
    int count = 0;
    for (int d = 0; d < DOMAINS; d++) count += (p->lists[slot] >> d & 1) * p->tiles[d];
    return count;
}

static inline int option_tile(const Table *t, const Player *p, int kind, int move) {
    if (kind == LORD) return t->row[t->round & 3][move];
    if (kind == SCOUT) return t->row[(t->round + 1 + (move >> 3)) & 3][move & 7];
    return kind == CEMETERY ? p->cemetery[move] : p->column[t->domain][move];
}

/* The option worth most coins at once, the first among equals. */
static int greedy(const Table *t, int seat, int kind, uint64_t legal) {
    const Player *p = &t->player[seat];
    int mills = 0, barracks = 0, best = 0, most = INT32_MIN;
    if (kind <= CEMETERY)
        for (int other = 0; other < t->players; other++) {
            const Player *v = &t->player[other];
            if (other == seat) continue;
            if (v->tiles[MILL] <= p->tiles[MILL]) mills += payable(v, MILL_COINS);
            if (v->tiles[RAMPART] <= p->tiles[BARRACKS]) barracks += payable(v, BARRACKS_COINS);
        }
    for (; legal; legal &= legal - 1) {
        int move = __builtin_ctzll(legal), worth;
        if (kind == EXTRA) worth = counted(p, move);
        else if (kind == PLOT) worth = p->tiles[move & 7] * rate(p, move >> 3);
        else {
            const Tile *face = &tiles[option_tile(t, p, kind, move)];
            int d = face->domain;
            if (kind == LOSS) worth = -(face->peasants + face->chests);
            else {
                worth = p->income[d] + p->gain[d][d] + (p->tiles[d] ? 0 : PENALTY);
                if (d == MILL) worth += mills;
                if (d == BARRACKS) worth += barracks;
                if (d == FIELD) worth += PER_PEASANT * (p->peasants + face->peasants);
                if (d == MARKET) worth += PER_CHEST * (p->chests + face->chests);
            }
        }
        if (worth > most) most = worth, best = move;
    }
    return best;
}

static int choose(Table *t, int seat, int kind, uint64_t legal, int slot, int lane) {
    if ((legal & (legal - 1)) == 0) return __builtin_ctzll(legal);
    if (t->policy == GREEDY) return greedy(t, seat, kind, legal);
    for (int n = decide(t, seat, slot, lane, (uint32_t)__builtin_popcountll(legal)); n > 0; n--) legal &= legal - 1;
    return __builtin_ctzll(legal);
}

/* --- tiles in front of a player --- */

static void place(Player *p, int tile) {
    int d = tiles[tile].domain;
    p->column[d][p->tiles[d]++] = (uint8_t)tile;
    p->built |= 1u << d;
    p->peasants += tiles[tile].peasants;
    p->chests += tiles[tile].chests;
    for (int e = 0; e < DOMAINS; e++) p->income[e] += p->gain[d][e];
}

static void bury(Player *p, int d, int index) {
    int tile = p->column[d][index], left = --p->tiles[d];
    if (left == 0) p->built &= ~(1u << d);
    for (int i = index; i < left; i++) p->column[d][i] = p->column[d][i + 1];
    p->peasants -= tiles[tile].peasants;
    p->chests -= tiles[tile].chests;
    for (int e = 0; e < DOMAINS; e++) p->income[e] -= p->gain[d][e];
    p->cemetery[p->buried++] = (uint8_t)tile;
}

static void restore(Table *t, int seat, int slot, int lane) {
    Player *p = &t->player[seat];
    int picked = choose(t, seat, CEMETERY, (1ull << p->buried) - 1, slot, lane), tile = p->cemetery[picked];
    p->buried--;
    for (int i = picked; i < p->buried; i++) p->cemetery[i] = p->cemetery[i + 1];
    place(p, tile);
}

/* --- rows and Lords --- */

static void next_stack(Table *t) {
    int first = t->stacks == 1 && orange(t->players) > 0;
    t->drawn = 0;
    if (first) {
        t->stack = orange(t->players);
        for (int i = 0; i < t->stack; i++) t->deck[i] = (uint8_t)(BLUE + i);
    } else {
        t->stack = t->discarded;
        memcpy(t->deck, t->discards, (size_t)t->discarded);
        t->discarded = 0;
    }
    shuffle(t, first ? OF_ORANGE : OF_DISCARDS + t->stacks, t->deck, t->stack, t->stack);
    t->stacks++;
}

/* Draw a row and sort it by number; equal numbers stay in the order in which they were drawn. */
static void fill_row(Table *t, int row) {
    for (int i = 0; i <= t->players; i++) {
        if (t->drawn == t->stack) next_stack(t);
        int tile = t->deck[t->drawn++], at = i;
        for (; at > 0 && tiles[t->row[row][at - 1]].number > tiles[tile].number; at--) t->row[row][at] = t->row[row][at - 1];
        t->row[row][at] = (uint8_t)tile;
    }
    t->occupied[row] = t->reserved[row] = 0;
}

static void place_lord(Table *t, int seat, int row) {
    Player *p = &t->player[seat];
    unsigned own = p->scout >> 3 == row ? 1u << (p->scout & 7) : 0;
    uint64_t legal = ((1u << (t->players + 1)) - 1) & ~(t->occupied[row] | (t->reserved[row] & ~own));
    int column = choose(t, seat, LORD, legal, t->round >> 2, t->round & 3);
    t->reserved[row] &= ~own;
    if (own) p->scout = -1;
    t->occupied[row] |= 1u << column;
    t->lords[row][column] = (uint8_t)seat;
}

/* --- effects --- */

static void rob(Table *t, int seat, int other, int amount) {
    int coins = payable(&t->player[other], amount);
    t->player[other].coins -= coins;
    t->player[seat].coins += coins;
}

static void attack(Table *t, int seat) {
    for (int other = 0; other < t->players; other++) {
        Player *v = &t->player[other];
        if (other == seat || v->tiles[RAMPART] >= t->player[seat].tiles[BARRACKS]) continue;
        if (v->built) {
            int d = __builtin_ctz(v->built);
            bury(v, d, v->tiles[d] - 1);
        }
        rob(t, seat, other, BARRACKS_COINS);
    }
}

static void send_scout(Table *t, int seat, int slot, int lane) {
    Player *p = &t->player[seat];
    uint64_t legal = 0;
    for (int ahead = 0; ahead < 2 && t->round + 2 + ahead <= ROUNDS; ahead++) {
        int row = (t->round + 1 + ahead) & 3;
        legal |= (uint64_t)(((1u << (t->players + 1)) - 1) & ~t->reserved[row] & ~t->occupied[row]) << 8 * ahead;
    }
    if (!legal) return;
    int move = choose(t, seat, SCOUT, legal, slot, lane), row = (t->round + 1 + (move >> 3)) & 3;
    if (p->scout >= 0) t->reserved[p->scout >> 3] &= ~(1u << (p->scout & 7));
    t->reserved[row] |= 1u << (move & 7);
    p->scout = row * 8 + (move & 7);
}

static void add_extra_coin(Table *t, int seat, int slot, int lane) {
    Player *p = &t->player[seat];
    uint64_t legal = ~p->extras & 0xFF;
    if (t->extra_left == 0 || !legal) return;
    int under = choose(t, seat, EXTRA, legal, slot, lane);
    t->extra_left--;
    p->extras |= 1u << under;
    for (int d = 0; d < DOMAINS; d++)
        if (p->lists[under] >> d & 1) p->gain[d][under] += EXTRA_COIN, p->income[under] += EXTRA_COIN * p->tiles[d];
}

static void add_plot(Table *t, int seat, int slot, int lane) {
    Player *p = &t->player[seat];
    uint64_t legal = 0;
    unsigned supply = 0;
    for (int d = 0; d < DOMAINS; d++) supply |= (unsigned)(t->plot_left[d] > 0) << d;
    for (int under = 0; under < DOMAINS; under++)
        if (!(p->plots >> under & 1)) legal |= (uint64_t)(supply & ~p->lists[under] & 0xFF) << 8 * under;
    if (!legal) return;
    int move = choose(t, seat, PLOT, legal, slot, lane), under = move >> 3, token = move & 7;
    t->plot_left[token]--;
    p->plots |= 1u << under;
    p->lists[under] |= (uint8_t)(1 << token);
    p->gain[token][under] += rate(p, under);
    p->income[under] += rate(p, under) * p->tiles[token];
}

static void effect(Table *t, int seat, int domain) {
    Player *p = &t->player[seat];
    int slot = t->round >> 2, lane = 4 + (t->round & 3);
    switch (domain) {
    case FIELD: p->coins += PER_PEASANT * p->peasants; break;
    case MARKET: p->coins += PER_CHEST * p->chests; break;
    case MILL:
        for (int other = 0; other < t->players; other++)
            if (t->player[other].tiles[MILL] < p->tiles[MILL]) rob(t, seat, other, MILL_COINS);
        break;
    case VILLAGE: if (p->buried) restore(t, seat, slot, lane); break;
    case RAMPART: send_scout(t, seat, slot, lane); break;
    case BARRACKS: attack(t, seat); break;
    case CHURCH: add_extra_coin(t, seat, slot, lane); break;
    default: add_plot(t, seat, slot, lane);
    }
}

static void resolve_event(Table *t, int number) {
    const Event *card = &events[t->cards[number]];
    for (int seat = 0; seat < t->players; seat++) {
        Player *p = &t->player[seat];
        int coins = card->coins + card->per_peasant * p->peasants + card->per_chest * p->chests, draws = 0;
        coins += card->per_buried * p->buried + card->per_domain * __builtin_popcount(p->built);
        for (int d = 0; d < DOMAINS; d++) coins += card->per_tile[d] * p->tiles[d];
        p->coins += coins < 0 ? -payable(p, -coins) : coins;
        for (int i = 0; i < 4 && card->buries[i] >= 0; i++) {
            int d = t->domain = card->buries[i];
            if (p->tiles[d])
                bury(p, d, choose(t, seat, LOSS, (1ull << p->tiles[d]) - 1, EVENT_SLOT + number, draws)), draws++;
        }
        for (int i = 0; i < card->restores && p->buried; i++) restore(t, seat, EVENT_SLOT + number, draws++);
    }
}

/* --- a game --- */

static void start(Table *t) {
    t->round = t->drawn = t->discarded = 0;
    t->stacks = 1, t->stack = BLUE, t->extra_left = EXTRA_TOKENS;
    memcpy(t->plot_left, plot_tokens, sizeof plot_tokens);
    for (int seat = 0; seat < t->players; seat++) {
        Player *p = &t->player[seat];
        memset(p, 0, sizeof *p);
        p->scout = -1;
        memcpy(p->lists, lists, sizeof lists);
        for (int slot = 0; slot < DOMAINS; slot++)
            for (int d = 0; d < DOMAINS; d++) p->gain[d][slot] = lists[slot] >> d & 1 ? per_domain[slot] : 0;
        t->at_hand[seat] = -1;
    }
    int needed = ROUNDS * (t->players + 1);
    for (int i = 0; i < BLUE; i++) t->deck[i] = (uint8_t)i;
    shuffle(t, OF_BLUE, t->deck, BLUE, needed < BLUE ? needed : BLUE);
    memcpy(t->cards, deck_of_events, sizeof deck_of_events);
    shuffle(t, OF_EVENTS, t->cards, CARDS, DRAWN);
    for (int row = 0; row < ROWS; row++) fill_row(t, row);
    for (int seat = 0; seat < t->players; seat++) place_lord(t, seat, 0);
}

static void play_round(Table *t) {
    int row = t->round++ & 3;
    unsigned lords = t->occupied[row];
    t->discards[t->discarded++] = t->row[row][__builtin_ctz(~lords)];
    for (; lords; lords &= lords - 1) {
        int column = __builtin_ctz(lords), seat = t->lords[row][column], tile = t->row[row][column];
        int domain = tiles[tile].domain;
        if (t->round < ROUNDS) place_lord(t, seat, t->round & 3);
        place(&t->player[seat], tile);
        effect(t, seat, domain);
        t->player[seat].coins += t->player[seat].income[domain];
    }
    t->occupied[row] = 0;
    if (t->round <= REFILLS) fill_row(t, row);
    if (row == ROWS - 1) resolve_event(t, (t->round >> 2) - 1);
}

static int is_ahead(const Player *one, const Player *other) {
    if (one->coins != other->coins) return one->coins > other->coins;
    for (int d = DOMAINS - 1; d >= 0; d--)
        if (one->tiles[d] != other->tiles[d]) return one->tiles[d] > other->tiles[d];
    return 0;
}

/* Play games; write coins, place and share of the win in sixtieths for every game and seat. */
void play(int players, int policy, uint64_t seed, uint64_t first, int games, int32_t *out) {
    Table table, *t = &table;
    t->players = players, t->policy = policy;
    t->key[0] = (uint32_t)seed, t->key[1] = (uint32_t)(seed >> 32);
    for (uint64_t game = first; game < first + (uint64_t)games; game++) {
        t->game[0] = (uint32_t)game, t->game[1] = (uint32_t)(game >> 32);
        start(t);
        while (t->round < ROUNDS) play_round(t);
        int winners = 0;
        for (int seat = 0; seat < players; seat++)
            t->player[seat].coins -= PENALTY * (DOMAINS - __builtin_popcount(t->player[seat].built));
        for (int seat = 0; seat < players; seat++) {
            out[3 * seat] = t->player[seat].coins, out[3 * seat + 1] = 1;
            for (int other = 0; other < players; other++) out[3 * seat + 1] += is_ahead(&t->player[other], &t->player[seat]);
            winners += out[3 * seat + 1] == 1;
        }
        for (int seat = 0; seat < players; seat++, out += 3) out[2] = out[1] == 1 ? 60 / winners : 0;
    }
}
