// Checks a proof that Black wins renju, without any search and without Agon's code.
//
//   g++ -O2 -std=c++17 scripts/check-renju-proof.cpp -o check-renju-proof
//   zstd -dc books/renju.proof | ./check-renju-proof
//   ./check-renju-proof --forbidden < positions        (tests the rules: forbidden points of positions)
//
// It knows the rules of renju for stones (docs/rules/renju.md), the file (crates/proof/src/verifier/certificate.rs describes
// it) and the theory of relevance zones (crates/proof/src/verifier/relevance_zone.rs proves it). Exit code 0: every proof in the
// file holds. 1: one does not. 2: not a proof file.
#include <array>
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

constexpr int SIZE = 15, POINTS = SIZE * SIZE;
constexpr int PASS = POINTS, KEEP = 226, KNOWN = 227, END = 255;
constexpr int ROWS[4] = {0, 1, 1, -1}, COLUMNS[4] = {1, 0, 1, 1};

using Points = std::bitset<POINTS>;

struct Board {
    Points black, white;
    bool operator==(const Board &other) const { return black == other.black && white == other.white; }
    bool empty(int point) const { return !black[point] && !white[point]; }
};

struct Hash {
    size_t operator()(const Board &board) const {
        return std::hash<Points>()(board.black) * 31 + std::hash<Points>()(board.white);
    }
};

// Points on which one more white stone could matter, for a stone of rank 1, 2 and 3; of a higher rank all do.
using Zone = std::array<Points, 3>;

[[noreturn]] void fail(int code, const std::string &why) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(code);
}

std::string name(int point) {
    return std::string(1, char('A' + point % SIZE)) + std::to_string(SIZE - point / SIZE);
}

std::string show(const Board &board) {
    std::string text = "black", white = ", white";
    for (int point = 0; point < POINTS; point++) {
        if (board.black[point]) text += " " + name(point);
        if (board.white[point]) white += " " + name(point);
    }
    return text + white;
}

// The point a number of steps along a line, or -1 outside the board.
int along(int point, int line, int steps) {
    int row = point / SIZE + steps * ROWS[line], column = point % SIZE + steps * COLUMNS[line];
    return row < 0 || row >= SIZE || column < 0 || column >= SIZE ? -1 : row * SIZE + column;
}

// ---- The rules ----

// How long the row of black stones through a black stone is.
int row_of(const Points &black, int point, int line) {
    int length = 1;
    for (int sign : {-1, 1})
        for (int step = sign, next; (next = along(point, line, step)) >= 0 && black[next]; step += sign) length++;
    return length;
}

// Whether a black stone on an empty point would make a row of exactly five.
bool makes_five(const Board &board, int point) {
    Points black = board.black;
    black.set(point);
    for (int line = 0; line < 4; line++)
        if (row_of(black, point, line) == 5) return true;
    return false;
}

// Whether a black stone on an empty point makes a row of exactly five on one line.
bool makes_five_on(const Board &board, int point, int line) {
    Points black = board.black;
    black.set(point);
    return row_of(black, point, line) == 5;
}

// The different fours of a line that hold a black stone: sets of four stones that one more makes a five of.
std::vector<Points> fours_of(const Board &board, int point, int line) {
    std::vector<Points> fours;
    for (int step = -4; step <= 4; step++) {
        int fifth = along(point, line, step);
        if (fifth < 0 || !board.empty(fifth) || !makes_five_on(board, fifth, line)) continue;
        Points four;
        for (int sign : {-1, 1})
            for (int away = sign, next; (next = along(fifth, line, away)) >= 0 && board.black[next]; away += sign)
                four.set(next);
        if (!four[point]) continue;
        bool is_new = true;
        for (const Points &other : fours) is_new = is_new && other != four;
        if (is_new) fours.push_back(four);
    }
    return fours;
}

// Where a further black stone makes a straight four, and no five, of three stones that hold this one.
std::vector<int> raises_of(const Board &board, int point, int line) {
    std::vector<int> raises;
    for (int step = -3; step <= 3; step++) {
        int fourth = along(point, line, step);
        if (fourth < 0 || !board.empty(fourth) || makes_five(board, fourth)) continue;
        Board after = board;
        after.black.set(fourth);
        // The unbroken row through the new stone has four stones, this one among them, and two ways to a five.
        if (row_of(after.black, fourth, line) != 4) continue;
        int first = 0, last = 0;
        for (int next; (next = along(fourth, line, first - 1)) >= 0 && after.black[next];) first--;
        for (int next; (next = along(fourth, line, last + 1)) >= 0 && after.black[next];) last++;
        if (-step < first || -step > last) continue;
        int before = along(fourth, line, first - 1), behind = along(fourth, line, last + 1);
        if (before >= 0 && behind >= 0 && after.empty(before) && after.empty(behind) &&
            makes_five_on(after, before, line) && makes_five_on(after, behind, line))
            raises.push_back(fourth);
    }
    return raises;
}

enum Kind { FREE, FIVE, OVERLINE, DOUBLE_FOUR, DOUBLE_THREE };

// What a black stone on an empty point would be.
Kind kind_of(const Board &board, int point) {
    if (makes_five(board, point)) return FIVE;
    Board after = board;
    after.black.set(point);
    size_t fours = 0;
    for (int line = 0; line < 4; line++) {
        if (row_of(after.black, point, line) > 5) return OVERLINE;
        fours += fours_of(after, point, line).size();
    }
    if (fours >= 2) return DOUBLE_FOUR;
    std::vector<std::vector<int>> threes;
    for (int line = 0; line < 4; line++)
        if (auto raises = raises_of(after, point, line); !raises.empty()) threes.push_back(raises);
    if (threes.size() < 2) return FREE;
    // Article 9.3: a three counts if Black could play one of the points that raise it.
    int count = 0;
    for (const auto &raises : threes)
        for (int raise : raises)
            if (kind_of(after, raise) == FREE) {
                count++;
                break;
            }
    return count >= 2 ? DOUBLE_THREE : FREE;
}

// ---- Relevance zones ----

void join(Zone &zone, const Zone &other) {
    for (int rank = 0; rank < 3; rank++) zone[rank] |= other[rank];
}

void add(Zone &zone, const Points &points) {
    for (Points &own : zone) own |= points;
}

const std::vector<Points> &windows() {
    static const std::vector<Points> all = [] {
        std::vector<Points> all;
        for (int point = 0; point < POINTS; point++)
            for (int line = 0; line < 4; line++)
                if (along(point, line, 4) >= 0) {
                    Points window;
                    for (int step = 0; step < 5; step++) window.set(along(point, line, step));
                    all.push_back(window);
                }
        return all;
    }();
    return all;
}

// Where White's stones could help to make a four, by rank. `fives`: where White would make five or more at once.
Zone white_fours(const Board &board, Points &fives) {
    Points empty = ~(board.black | board.white);
    Zone zone;
    fives.reset();
    for (const Points &window : windows()) {
        if ((window & board.black).any()) continue;
        size_t stones = (window & board.white).count();
        if (stones >= 4) fives |= window & empty;
        for (size_t rank = 1; rank <= 3; rank++)
            if (stones + rank >= 4) zone[rank - 1] |= window & empty;
    }
    return zone;
}

// Where a white stone could make an allowed stone of Black's forbidden: it may lift what forbids the raise of a three.
Points maybe_forbidding(const Board &board, int point) {
    Board after = board;
    after.black.set(point);
    std::vector<int> all;
    int lines = 0;
    for (int line = 0; line < 4; line++) {
        auto raises = raises_of(after, point, line);
        lines += !raises.empty();
        all.insert(all.end(), raises.begin(), raises.end());
    }
    Points zone;
    if (lines < 2) return zone;
    for (int raise : all) {
        Kind kind = kind_of(after, raise);
        if (kind == DOUBLE_THREE) return zone.set();
        if (kind == OVERLINE || kind == DOUBLE_FOUR)
            for (int line = 0; line < 4; line++)
                for (int step = -5; step <= 5; step++)
                    if (int near = along(raise, line, step); near >= 0) zone.set(near);
    }
    return zone;
}

// ---- The file ----

struct Checker {
    std::unordered_map<Board, Zone, Hash> lemmas, kept;
    uint64_t stones = 0;

    static int byte() {
        int byte = std::getchar();
        if (byte == EOF) fail(2, "the file ends within a proof");
        return byte;
    }

    // Proves that Black, to move, wins, and returns the zone of that win.
    Zone proof(const Board &board, int depth) {
        if (depth > 4 * POINTS) fail(1, "positions lie too deep within each other");
        int word = byte();
        if (word == KNOWN) {
            if (auto found = kept.find(board); found != kept.end()) return found->second;
            if (auto found = lemmas.find(board); found != lemmas.end()) return found->second;
            fail(1, "it relies on a position that was not proved before: " + show(board));
        }
        if (word != KEEP) return stone(board, word, depth);
        Zone zone = stone(board, byte(), depth);
        return kept[board] = zone;
    }

    Zone stone(const Board &board, int point, int depth) {
        stones++;
        if (point >= POINTS || !board.empty(point)) fail(1, "no stone can be played there in " + show(board));
        Kind kind = kind_of(board, point);
        if (kind != FREE && kind != FIVE) fail(1, name(point) + " is forbidden in " + show(board));
        Points fives;
        Zone zone = white_fours(board, fives);
        add(zone, Points().set(point));
        if (kind == FIVE) return zone;
        add(zone, maybe_forbidding(board, point));
        Board after = board;
        after.black.set(point);
        white_fours(after, fives);
        if (fives.any()) fail(1, "White makes five after " + name(point) + " in " + show(board));
        Points next;
        for (int cell = 0; cell < POINTS; cell++)
            if (after.empty(cell) && makes_five(after, cell)) next.set(cell);
        add(zone, next);
        if (next.count() >= 2) return zone;
        if (next.count() == 1) {
            after.white |= next;
            join(zone, proof(after, depth + 1));
            return zone;
        }
        if (byte() != PASS) fail(1, "the PASS is not answered in " + show(after));
        Zone passed = proof(after, depth + 1);
        join(zone, {passed[1], passed[2], Points().set()});
        Points open = passed[0] & ~(after.black | after.white);
        for (int answer; (answer = byte()) != END;) {
            if (answer >= POINTS || !after.empty(answer)) fail(1, "no answer of White's in " + show(after));
            Board answered = after;
            answered.white.set(answer);
            join(zone, proof(answered, depth + 1));
            open.reset(answer);
        }
        for (int cell = 0; cell < POINTS; cell++)
            if (open[cell]) fail(1, "the answer " + name(cell) + " could matter and is missing in " + show(after));
        return zone;
    }

    static Points points(int count) {
        Points points;
        for (; count > 0; count--) {
            int point = byte();
            if (point >= POINTS || points[point]) fail(2, "a stone outside the board, or two on one point");
            points.set(point);
        }
        return points;
    }

    void check() {
        for (const char *next = "agon renju proof 1\n"; *next; next++)
            if (std::getchar() != *next) fail(2, "this is no proof: its first line is another one");
        for (int count; (count = std::getchar()) != EOF;) {
            Board board;
            board.black = points(count);
            board.white = points(byte());
            if ((board.black & board.white).any()) fail(2, "two stones on one point");
            kept.clear();
            Zone zone = proof(board, 0);
            lemmas.emplace(board, zone);
        }
    }

    // White's fourth moves that lose after Black's third move in each of the two openings.
    void report() const {
        std::printf("%zu positions are proved, by %llu stones of Black's\n", lemmas.size(), (unsigned long long)stones);
        const struct { const char *name; int black[2], white; } openings[2] = {
            {"Hogetsu, H8 I9 I7", {112, 128}, 98}, {"Kagetsu, H8 H9 I9", {112, 98}, 97}};
        for (const auto &opening : openings) {
            Board board;
            for (int point : opening.black) board.black.set(point);
            board.white.set(opening.white);
            int refuted = lemmas.count(board) > 0, all = 1;
            std::string open = refuted ? "" : " PASS";
            for (int point = 0; point < POINTS; point++) {
                if (!board.empty(point)) continue;
                Board after = board;
                after.white.set(point);
                all++;
                if (lemmas.count(after)) refuted++;
                else open += " " + name(point);
            }
            std::printf("%s: %d of White's %d fourth moves lose\n", opening.name, refuted, all);
            std::printf(open.empty() ? "Black wins\n" : "  open:%s\n", open.c_str());
        }
    }
};

// Reads boards as 225 characters B, W or . a line, and prints the forbidden points of each.
void print_forbidden() {
    char line[POINTS + 2];
    while (std::scanf("%226s", line) == 1) {
        if (std::strlen(line) != POINTS) fail(2, "a board has 225 points");
        Board board;
        for (int point = 0; point < POINTS; point++) {
            if (line[point] == 'B') board.black.set(point);
            if (line[point] == 'W') board.white.set(point);
        }
        for (int point = 0; point < POINTS; point++)
            if (Kind kind = FREE; board.empty(point) && (kind = kind_of(board, point), kind != FREE && kind != FIVE))
                std::printf("%s ", name(point).c_str());
        std::printf("\n");
    }
}

int main(int count, char **words) {
    if (count == 2 && std::string(words[1]) == "--forbidden") {
        print_forbidden();
        return 0;
    }
    if (count != 1) fail(2, "usage: zstd -dc FILE | check-renju-proof");
    Checker checker;
    checker.check();
    checker.report();
}
