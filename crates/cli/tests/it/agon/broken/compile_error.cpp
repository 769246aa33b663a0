// A semicolon is missing, and a name.
#include <iostream>
#include <string>

int main() {
    std::string word;
    while (std::cin >> word) {
        if (word == "READY") std::cout << "OK" << std::endl;
        if (word == "TURN") std::cout << "MOVE " << choice << std::endl;
        if (word == "FINISH") return 0
    }
}
