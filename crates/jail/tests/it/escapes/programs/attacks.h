/* What the files of the attacking program share; main.c says how it is used. */
#ifndef ATTACKS_H
#define ATTACKS_H
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* LIFE: every process of an attack ends by itself after so many seconds. */
enum { LIFE = 30, MIB = 1 << 20 };

/* Every file that an attack makes has a name that begins so; the driver looks for them. */
#define MARK "agon-escape-"

/* Enters an attack into the list, under its name with hyphens: ATTACK(fork_bomb) { ... } */
#define ATTACK(name)                                                             \
    static void name(void);                                                      \
    __attribute__((constructor)) static void enter_##name(void) { enter(#name, name); } \
    static void name(void)

void enter(const char *name, void (*run)(void));

/* The path of this program. */
extern char self[4096];

/* What the driver gives of the world outside by an argument KEY@VALUE; NULL without one. */
const char *given(const char *key);
/* The same as a number; 0 when it is not given. */
long given_number(const char *key);

/* One line on the error stream: the attack got somewhere, or it was held there. */
void reached(const char *format, ...) __attribute__((format(printf, 1, 2)));
void held(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The result of a system call that must not succeed; its errno is said. True when it did succeed. */
bool attempt(const char *what, long result);
/* A failure of the attack itself: it ends without having been made. */
void fail(const char *why) __attribute__((noreturn));

/* A child; 0 in it. It ends by itself after LIFE. */
pid_t offspring(void);
/* An orphan in a session of its own: 0 in it, which must not return. */
pid_t orphan(void);
/* Sleeps until LIFE is over, and takes no notice of signals that can be blocked. */
void sit(void) __attribute__((noreturn));
/* Runs this in a child, and waits for it: for what may end the process that does it. Returns the wait status. */
int apart(void (*run)(void));
/* Calls this for every process in /proc but this one, its threads, and process 1. */
void each_process(void (*run)(pid_t pid));
/* The judge's process as it is known outside. */
pid_t judge(void);

#endif
