// The minimal cost of starting processes: only posix_spawn and waitpid, `jobs` at a time.
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: RawSpawn COUNT JOBS PROGRAM\n");
    return 2;
  }
  int count = atoi(argv[1]), jobs = atoi(argv[2]), running = 0;
  char *arguments[] = {argv[3], NULL};
  for (int started = 0; started < count || running > 0;) {
    while (started < count && running < jobs) {
      pid_t pid;
      if (posix_spawn(&pid, argv[3], NULL, NULL, arguments, environ) != 0) return 1;
      started++;
      running++;
    }
    int status;
    if (waitpid(-1, &status, 0) > 0) running--;
  }
  return 0;
}
