/* What the parts of the hostile program share. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { LIFE = 60, MIB = 1 << 20 };

/* The attack, what it does when it is to move, and the path of this program. */
extern const char *attack, *then;
extern char self[4096];

/* main.c: to its standard error. `refused` is an attack that the system does not let it make. */
void say(const char *format, ...);
void left(pid_t pid);
void refused(const char *why);
void fail(const char *why);
bool starts_with(const char *text, const char *prefix);
void sit(void);
pid_t offspring(void);

/* memory.c */
void eat(const char *kind, size_t megabytes);
void count_eaters(void);
void await_eaters(int count);
void eat_in_flight(size_t megabytes);
void read_much(size_t megabytes);

/* attacks.c */
void begin(void);
void threads(int count, void *(*run)(void *), void *argument);
void link_of_chain(bool exec);
void *exec_elsewhere(void *unused);
