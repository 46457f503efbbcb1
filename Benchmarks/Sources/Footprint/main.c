// Runs a program to its end, its output thrown away, and prints what it took: nanoseconds, KiB at most, wait status.
//
// A program of its own, because a child begins with the memory of whoever starts it: from here, next to none.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: Footprint PROGRAM [ARGUMENT]...\n");
    return 2;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t process;
  long long start = now();
  int code = posix_spawn(&process, argv[1], &actions, NULL, argv + 1, environ);
  if (code != 0) return 1;
  int status = 0;
  struct rusage usage;
  if (wait4(process, &status, 0, &usage) < 0) return 1;
  long long end = now();
#ifdef __APPLE__
  long memory = usage.ru_maxrss / 1024;
#else
  long memory = usage.ru_maxrss;
#endif
  printf("%lld %ld %d\n", end - start, memory, status);
  return 0;
}
