// A semicolon is missing, and a name.
#include <iostream>
#include <string>

int main() {
    std::string word;
    std::cin >> word;
    if (word == "BEGIN") std::cout << "4 8 0" << std::endl;
    else std::cout << choice << std::endl
}
