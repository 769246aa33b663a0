#include <iostream>
#include <string>
#include <vector>
int choose(const std::vector<int> &free) {
    return free[9];
}
int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line[0] == 'R') std::cout << "OK" << std::endl;
        if (line[0] == 'T') return choose({1}) + *(volatile int *)0;
    }
}
