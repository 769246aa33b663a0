/* A program of a tebibyte. */
char giant[1ULL << 40] = {1};
int main(void) { return giant[5]; }
