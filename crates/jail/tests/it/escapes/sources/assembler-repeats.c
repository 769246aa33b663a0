__asm__(".data\n.rept 2000000000\n.quad 1, 2, 3, 4\n.endr\n.text");
int main(void) { return 0; }
