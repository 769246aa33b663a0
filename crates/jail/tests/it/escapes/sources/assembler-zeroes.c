/* A program of 100 GB. */
__asm__(".data\n.skip 100000000000, 1\n.text");
int main(void) { return 0; }
