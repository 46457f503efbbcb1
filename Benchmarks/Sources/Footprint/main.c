// Runs programs in turns, discards their output, and prints each one's cost, one line per round: nanoseconds and peak
// KiB. Stops at the first failure, with a message on stderr.
//
// It is a separate program because a child starts with its parent's memory, which is small here.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static posix_spawn_file_actions_t silence;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void run(char **arguments) {
  pid_t process;
  int status = 0;
  struct rusage usage;
  long long start = now();
  int code = posix_spawn(&process, arguments[0], &silence, NULL, arguments, environ);
  if (code != 0 || wait4(process, &status, 0, &usage) < 0 || status != 0) {
    fprintf(stderr, "%s: %s, wait status %d\n", arguments[0], code ? strerror(code) : "failed", status);
    exit(1);
  }
  long long end = now();
#ifdef __APPLE__
  usage.ru_maxrss /= 1024;
#endif
  printf("%lld %ld ", end - start, (long)usage.ru_maxrss);
}

int main(int argc, char **argv) {
  char *end = NULL;
  long rounds = argc < 3 ? 0 : strtol(argv[1], &end, 10);
  if (rounds <= 0 || *end != 0) {
    fprintf(stderr, "usage: Footprint ROUNDS PROGRAM [ARGUMENT]... [-- PROGRAM [ARGUMENT]...]...\n");
    return 2;
  }
  posix_spawn_file_actions_init(&silence);
  posix_spawn_file_actions_addopen(&silence, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&silence, 2, "/dev/null", O_WRONLY, 0);
  for (int i = 2; i < argc; i++)
    if (strcmp(argv[i], "--") == 0) argv[i] = NULL;
  for (; rounds > 0; rounds--) {
    for (int i = 2; i < argc; i++)
      if (argv[i] != NULL && (i == 2 || argv[i - 1] == NULL)) run(argv + i);
    printf("\n");
  }
  return 0;
}
