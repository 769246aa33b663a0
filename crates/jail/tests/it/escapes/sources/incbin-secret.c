/* The assembler reads files, too. */
__asm__(".section .rodata\nsecret: .incbin \"@SECRET@\"\n.byte 0\n.text");
int main(void) { return 0; }
