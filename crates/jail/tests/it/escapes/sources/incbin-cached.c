__asm__(".section .rodata\nprogram: .incbin \"@CACHED@\"\n.byte 0\n.text");
int main(void) { return 0; }
