static const char secret[] = {
#embed "@SECRET@"
};
int main(void) { return secret[0]; }
