// Battle for the Petri Dish: a sample species in C++. Replace `choose` by your own idea.
//
// The program is run anew for every action of every cell: it reads one dish and prints one action. It may keep nothing.
//
// Build: g++ -O2 -std=c++20 sample.cpp -o sample
// Try: printf '4 4\n....\n.o..\n....\n..x.\n\n1 1 5 7' | ./sample
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

constexpr int HP = 5, ENERGY = 7, ACIDITY = 0;  // must add up to 12
constexpr char ENEMY = 'x', EMPTY = '.', CORPSE = 'c', WALL = '#';

struct Direction { std::string name; int dx, dy; };
const std::vector<Direction> DIRECTIONS = {
    {"N", 0, -1}, {"NE", 1, -1}, {"E", 1, 0}, {"SE", 1, 1}, {"S", 0, 1}, {"SW", -1, 1}, {"W", -1, 0}, {"NW", -1, -1},
};

struct Dish {
    int width, height;
    std::vector<std::string> rows;

    // What is on a square, outside the dish included; x goes right and y down, from 0.
    char look(int x, int y) const { return x < 0 || y < 0 || x >= width || y >= height ? WALL : rows[y][x]; }

    bool is_free(int x, int y) const { return look(x, y) == EMPTY || look(x, y) == CORPSE; }

    // How many neighbours of a square hold no living cell.
    int room(int x, int y) const {
        return std::ranges::count_if(DIRECTIONS, [&](const auto& d) { return is_free(x + d.dx, y + d.dy); });
    }
};

// What the cell at (x,y) does: multiply first, then eat, then fight, and spread out while waiting for energy.
std::string choose(const Dish& dish, int x, int y, [[maybe_unused]] int hp, int energy) {
    std::string corpse, enemy, space;  // the direction of one of each; of all free squares, the one with the most room
    int most_room = -1;
    for (const auto& [name, dx, dy] : DIRECTIONS) {
        char seen = dish.look(x + dx, y + dy);
        if (seen == CORPSE && corpse.empty()) corpse = name;
        if (seen == ENEMY && enemy.empty()) enemy = name;
        if (dish.is_free(x + dx, y + dy) && dish.room(x + dx, y + dy) > most_room) {
            space = name;
            most_room = dish.room(x + dx, y + dy);
        }
    }

    if (!space.empty() && energy >= 5) return "DIVIDE " + space;
    if (!corpse.empty() && energy <= ENERGY - 2) return "EAT " + corpse;  // hungry
    if (!enemy.empty() && energy >= 1) return "ATTACK " + enemy + " " + std::to_string(std::min(energy, 3));
    if (!space.empty() && energy >= 1 && most_room >= dish.room(x, y) + 3) return "MOVE " + space;  // crowded here
    return "REST";
}

int main() {
    std::string word;
    if (!(std::cin >> word)) return 0;
    if (word == "BEGIN") {
        std::cout << HP << ' ' << ENERGY << ' ' << ACIDITY << '\n';
        return 0;
    }
    Dish dish{std::stoi(word), 0, {}};
    std::cin >> dish.height;
    dish.rows.resize(dish.height);
    for (auto& row : dish.rows) std::cin >> row;
    int x, y, hp, energy;
    std::cin >> x >> y >> hp >> energy;
    std::cout << choose(dish, x, y, hp, energy) << '\n';
}
