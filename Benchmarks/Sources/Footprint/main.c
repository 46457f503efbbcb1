// Runs programs in turns, discards their output, and prints each one's cost, one line per round: nanoseconds,
// nanoseconds of CPU time, and KiB of memory. The memory is the peak of the resident pages; with --dirty, it is what the
// program has changed at its exit (Private_Dirty, proc(5)), which is traced for that. Stops at the first failure, with
// a message on stderr.
//
// It is a separate program because a child starts with its parent's memory, which is small here.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <signal.h>
#include <sys/ptrace.h>
#include <unistd.h>
#endif
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

static long long nanoseconds(struct timeval time) {
  return time.tv_sec * 1000000000LL + time.tv_usec * 1000LL;
}

#ifdef __linux__
// Private_Dirty of a process in KiB.
static long dirty(pid_t process) {
  char path[64], line[256];
  long size = -1;
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)process);
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "Private_Dirty: %ld", &size) == 1) break;
  if (file != NULL) fclose(file);
  return size;
}

// Runs a program, and prints the memory that it has changed when it exits.
static void trace(char **arguments) {
  int status = 0;
  long size = -1;
  pid_t process = fork();
  if (process == 0) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    dup2(null, 2);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    execv(arguments[0], arguments);
    _exit(127);
  }
  waitpid(process, &status, 0);
  ptrace(PTRACE_SETOPTIONS, process, NULL, PTRACE_O_EXITKILL | PTRACE_O_TRACEEXIT);
  ptrace(PTRACE_CONT, process, NULL, NULL);
  while (waitpid(process, &status, 0) == process && WIFSTOPPED(status)) {
    int isExit = status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8);
    if (isExit) size = dirty(process);
    ptrace(PTRACE_CONT, process, NULL, isExit ? 0L : (long)WSTOPSIG(status));
  }
  if (status != 0 || size < 0) {
    fprintf(stderr, "%s: not measured, wait status %d\n", arguments[0], status);
    exit(1);
  }
  printf("0 0 %ld ", size);
}
#endif

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
  printf(
      "%lld %lld %ld ", end - start, nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
      (long)usage.ru_maxrss);
}

int main(int argc, char **argv) {
  char *end = NULL;
  void (*measure)(char **) = run;
#ifdef __linux__
  if (argc > 1 && strcmp(argv[1], "--dirty") == 0) {
    measure = trace;
    argv[1] = argv[0];
    argc--;
    argv++;
  }
#endif
  long rounds = argc < 3 ? 0 : strtol(argv[1], &end, 10);
  if (rounds <= 0 || *end != 0) {
    fprintf(stderr, "usage: Footprint [--dirty] ROUNDS PROGRAM [ARGUMENT]... [-- PROGRAM [ARGUMENT]...]...\n");
    return 2;
  }
  posix_spawn_file_actions_init(&silence);
  posix_spawn_file_actions_addopen(&silence, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&silence, 2, "/dev/null", O_WRONLY, 0);
  for (int i = 2; i < argc; i++)
    if (strcmp(argv[i], "--") == 0) argv[i] = NULL;
  for (; rounds > 0; rounds--) {
    for (int i = 2; i < argc; i++)
      if (argv[i] != NULL && (i == 2 || argv[i - 1] == NULL)) measure(argv + i);
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
