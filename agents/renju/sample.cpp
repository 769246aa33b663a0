// Renju: a sample bot in C++. It counts what every row of five is worth. Replace `choose` by your own idea.
//
// Build: g++ -O2 -std=c++20 sample.cpp -o sample
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

// ---- Board -------------------------------------------------------------------------------------------------------
// Rows and columns count from 1, as the judge counts them.

constexpr int SIDE = 15, LINE = 11, CENTRE = 5;
constexpr char EMPTY = '.', BLACK = 'B', WHITE = 'W', WALL = '#';
struct Cell { int x, y; };  // row and column
using Line = std::array<char, LINE>;

constexpr Cell PASS{-1, -1};
constexpr Cell DIRECTIONS[] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

char other(char player) { return player == BLACK ? WHITE : BLACK; }

struct Board {
    std::array<std::array<char, SIDE + 1>, SIDE + 1> cells;
    int moves_played = 0;

    Board() { for (auto& row : cells) row.fill(EMPTY); }

    char at(int x, int y) const { return x < 1 || y < 1 || x > SIDE || y > SIDE ? WALL : cells[x][y]; }

    // The 11 cells through a cell in one direction: all that can matter to a stone there, in the CENTRE.
    Line line(Cell c, Cell d) const {
        Line line;
        for (int i = 0; i < LINE; i++) line[i] = at(c.x + (i - CENTRE) * d.x, c.y + (i - CENTRE) * d.y);
        return line;
    }

    void play(char player, Cell c) {
        if (c.x > 0) cells[c.x][c.y] = player;
        moves_played++;
    }
};

// How many of the `n` cells from `start` on are `wanted`.
int count(const Line& line, int start, int n, char wanted) {
    return std::count(line.begin() + start, line.begin() + start + n, wanted);
}

// ---- Rules -------------------------------------------------------------------------------------------------------

// Whether Black should keep off an empty cell. The full rule looks ahead from every THREE. This one counts all that
// looks like a FOUR or a THREE, so that it never plays a forbidden move, but refuses some that are allowed.
bool may_be_forbidden(const Board& board, Cell c) {
    bool overline = false;
    int fours = 0, threes = 0;
    for (Cell d : DIRECTIONS) {
        Line line = board.line(c, d);
        line[CENTRE] = BLACK;
        int row = 1;
        for (int i = CENTRE - 1; i >= 0 && line[i] == BLACK; i--) row++;
        for (int i = CENTRE + 1; i < LINE && line[i] == BLACK; i++) row++;
        if (row == 5) return false;  // a FIVE wins, whatever else it makes
        overline |= row > 5;
        // A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
        bool four = false, three = false;
        for (int i = 1; i <= 5; i++) four |= count(line, i, 5, BLACK) == 4 && count(line, i, 5, EMPTY) == 1;
        if (four) fours += count(line, 1, 9, BLACK) >= 5 ? 2 : 1;
        // A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
        for (int i = 2; i <= 5; i++)
            three |= count(line, i, 4, BLACK) == 3 && count(line, i, 4, EMPTY) == 1 && line[i - 1] == EMPTY &&
                     line[i + 4] == EMPTY;
        threes += three;
    }
    return overline || fours >= 2 || threes >= 2;
}

// Whether a cell is legal for certain: empty, within the opening's bounds, and not forbidden.
bool may_play(const Board& board, char me, Cell c) {
    int reach = board.moves_played < 3 ? board.moves_played : SIDE;  // (8,8), then one cell around it, then two
    bool near_enough = std::abs(c.x - 8) <= reach && std::abs(c.y - 8) <= reach;
    return board.at(c.x, c.y) == EMPTY && near_enough && !(me == BLACK && may_be_forbidden(board, c));
}

// ---- Choice ------------------------------------------------------------------------------------------------------
// Every five neighbouring cells are worth something to a player alone there, the more the more stones it has: ATTACK
// is for a player's own, DEFEND for blocking the other's. Four stones decide; then comes an open three, which is three
// stones in two such rows at once.

constexpr int ATTACK[] = {1, 6, 50, 1500, 1'000'000};
constexpr int DEFEND[] = {0, 5, 40, 1000, 50'000};

int worth(const Board& board, char me, Cell c) {
    int sum = 0;
    for (Cell d : DIRECTIONS) {
        Line line = board.line(c, d);
        for (int i = 1; i <= 5; i++) {
            if (count(line, i, 5, WALL)) continue;
            int own = count(line, i, 5, me), foe = count(line, i, 5, other(me));
            if (foe == 0) sum += ATTACK[own];
            else if (own == 0) sum += DEFEND[foe];
        }
    }
    return sum;
}

// The cell to play, or a PASS when none is sure to be legal. The clock, in milliseconds, is not needed here.
Cell choose(const Board& board, char me, [[maybe_unused]] int my_time) {
    Cell best = PASS;
    int best_worth = -1;
    for (int x = 1; x <= SIDE; x++)
        for (int y = 1; y <= SIDE; y++) {
            if (board.at(x, y) != EMPTY) continue;
            int value = worth(board, me, {x, y});
            if (value > best_worth && may_play(board, me, {x, y})) best_worth = value, best = {x, y};
        }
    return best;
}

// ---- Protocol: one command a line; a PASS is -1 -1 -----------------------------------------------------------------

int main() {
    Board board;
    char me = BLACK;
    std::string text;
    while (std::getline(std::cin, text)) {
        std::istringstream words(text);
        std::string command;
        words >> command;
        if (command == "READY") {
            std::string side;
            words >> side;
            me = side == "FIRST" ? BLACK : WHITE;
            std::cout << "OK" << std::endl;
        } else if (command == "TURN") {
            int my_time = 0;
            words >> my_time;
            Cell c = choose(board, me, my_time);
            board.play(me, c);
            // endl flushes: or the judge waits for an answer that never leaves this process
            std::cout << "MOVE " << c.x << ' ' << c.y << std::endl;
        } else if (command == "OPP") {
            Cell c = PASS;
            words >> c.x >> c.y;
            board.play(other(me), c);
        } else if (command == "OPENING") {  // a move made for us before READY
            Cell c = PASS;
            words >> c.x >> c.y;
            board.play(board.moves_played % 2 == 0 ? BLACK : WHITE, c);
        } else if (command == "FINISH") {
            if (!std::getenv("AGON_STAY")) break;
            // The same program plays the next game, too.
            board = Board();
        }
    }
}
