#include "@SOURCE@"
