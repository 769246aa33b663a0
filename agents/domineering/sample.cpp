// Domineering: a sample bot in C++. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build: g++ -O2 -std=c++20 sample.cpp -o sample
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

// ---- Board -------------------------------------------------------------------------------------------------------
// Each player lays dominoes along lines of his own: FIRST the rows, SECOND the columns. A place is a line and the
// index of the domino's first cell on it, from 0.

constexpr int MAX_SIDE = 8;
enum Player { FIRST, SECOND };
struct Place { int line, i; };
Player other(Player player) { return player == FIRST ? SECOND : FIRST; }

struct Board {
    Player mover = FIRST;
    int size[2] = {};                        // how many lines each player has; they are as long as the other has lines
    int weight[2][MAX_SIDE][MAX_SIDE] = {};  // for each player, the numbers on each of his lines
    int taken[2][MAX_SIDE] = {};             // bit i of a line is set if its cell i is taken

    // ---- Rules ---------------------------------------------------------------------------------------------------

    int points(Player player, Place p) const { return weight[player][p.line][p.i] + weight[player][p.line][p.i + 1]; }
    bool fits(Player player, Place p) const { return !(taken[player][p.line] >> p.i & 3); }

    Board after(std::optional<Place> p) const {
        Board next = *this;
        next.mover = other(mover);
        if (p) {
            next.taken[mover][p->line] |= 3 << p->i;
            for (int i : {p->i, p->i + 1}) next.taken[next.mover][i] |= 1 << p->line;
        }
        return next;
    }
};

// ---- Choice ------------------------------------------------------------------------------------------------------

constexpr int SHARE = 10, RESERVE = 100;  // a move may take a tenth of the time left, but for the last 100 ms
constexpr int MAX_DEPTH = 64;             // moves to look ahead; a bot with a small number repeats its games
constexpr int MAX_VALUE = 1'000'000;

using Clock = std::chrono::steady_clock;
struct OutOfTime {};
struct Move { Place place; int gain, value; };  // the value is the gain and the board after the move

// The points a player could still make if the other one laid no more dominoes. Dominoes of one player never cross
// from line to line, so each line is solved alone: its first j+1 cells are worth what the first j are, or what the
// first j-1 are and a domino on the last two.
int prospects(const Board& board, Player player) {
    int sum = 0;
    for (int line = 0; line < board.size[player]; line++) {
        int best = 0, shorter = 0;  // for the first j cells and the first j-1 cells
        for (int i = 0; i + 1 < board.size[other(player)]; i++) {
            int with = board.fits(player, {line, i}) ? shorter + board.points(player, {line, i}) : 0;
            shorter = best;
            best = std::max(best, with);
        }
        sum += best;
    }
    return sum;
}

// All moves, the highest value first; equals stay in their order.
std::vector<Move> list_moves(const Board& board) {
    std::vector<Move> moves;
    Player me = board.mover, foe = other(me);
    for (int line = 0; line < board.size[me]; line++)
        for (int i = 0; i + 1 < board.size[foe]; i++) {
            Place p{line, i};
            if (!board.fits(me, p)) continue;
            Board next = board.after(p);
            moves.push_back({p, board.points(me, p), board.points(me, p) + prospects(next, me) - prospects(next, foe)});
        }
    std::ranges::stable_sort(moves, std::ranges::greater{}, &Move::value);
    return moves;
}

// The points that the player to move can still gain on the other one (negamax with alpha-beta).
int search(const Board& board, int depth, int alpha, int beta, Clock::time_point deadline) {
    if (Clock::now() > deadline) throw OutOfTime();
    auto moves = list_moves(board);
    if (moves.empty()) return -prospects(board, other(board.mover));  // the other one lays all the dominoes that fit
    if (depth == 1) return moves[0].value;
    for (auto [p, gain, _] : moves) {
        alpha = std::max(alpha, gain - search(board.after(p), depth - 1, gain - beta, gain - alpha, deadline));
        if (alpha >= beta) break;
    }
    return alpha;
}

// The place to play; none (a PASS) only when there is none. `my_time`, in milliseconds, is left for the whole game.
std::optional<Place> choose(const Board& board, int my_time) {
    auto deadline = Clock::now() + std::chrono::milliseconds(my_time - RESERVE) / SHARE;
    auto moves = list_moves(board);
    try {
        for (int depth = 1; depth < MAX_DEPTH && moves.size() > 1; depth++) {
            int alpha = -MAX_VALUE;
            auto best = moves.begin();
            for (auto move = best; move != moves.end(); move++) {
                int gain = move->gain;
                int value = gain - search(board.after(move->place), depth, -MAX_VALUE, gain - alpha, deadline);
                if (value > alpha) alpha = value, best = move;
            }
            std::rotate(moves.begin(), best, best + 1);  // the next iteration tries it first
        }
    } catch (OutOfTime) {}  // the last finished iteration stands
    return moves.empty() ? std::nullopt : std::optional(moves[0].place);
}

// ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 ------------

int main() {
    Board board;
    std::string text, command;
    while (std::getline(std::cin, text)) {
        std::istringstream words(text);
        words >> command;
        if (command == "READY") {  // FIRST or SECOND, which follows from the moves as well
            std::cout << "OK" << std::endl;
        } else if (command == "TURN") {
            int my_time = 0;
            words >> my_time;
            auto p = choose(board, my_time);
            int x = !p ? -1 : board.mover == FIRST ? p->line + 1 : p->i + 1;
            int y = !p ? -1 : board.mover == FIRST ? p->i + 1 : p->line + 1;
            std::cout << "MOVE " << x << ' ' << y << std::endl;  // endl flushes, or the judge waits in vain
            board = board.after(p);
        } else if (command == "OPP" || command == "OPENING") {  // OPENING: a move made for us before READY
            int x = 0, y = 0;
            words >> x >> y;
            Place p = board.mover == FIRST ? Place{x - 1, y - 1} : Place{y - 1, x - 1};
            board = board.after(x < 0 ? std::nullopt : std::optional(p));
        } else if (command == "FINISH") {
            if (!std::getenv("AGON_STAY")) break;
            board = Board();  // the same program plays the next game, too
        } else if (board.size[FIRST] < MAX_SIDE) {  // a row of the board
            int x = board.size[FIRST]++, y = 0;
            std::istringstream numbers(text);
            for (int n; y < MAX_SIDE && numbers >> n; y++) board.weight[FIRST][x][y] = board.weight[SECOND][y][x] = n;
            board.size[SECOND] = y;
        }
    }
}
