// Makes system calls of the program under test fail, for Tests/fault-matrix.py. Loaded with LD_PRELOAD.
//
// FAULT="CALL NUMBER ERRNO" fails the call with this number, counted from 1 in each process. "CALL NUMBER+ ERRNO" fails
// all later ones too. FAULT_MARK names a file that the failing process creates; only the process that creates it fails,
// so that one process of a launch has the fault. The file then has the call, and for open(2) the path.
// FAULT_FROM names a file: calls before it exists do not count. The call "write_file" is a write to a regular file.
//
// FAULT_THEN="CALL ERRNO" fails the next call of this kind too, once the first one has failed, in the same process. The
// file FAULT_MARK.then is created.
//
// FAULT_SLOW="NAME MILLISECONDS" makes each write to a file whose path ends with this name take that long, as on a slow
// disk.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char slow_name[64];
static int slow_milliseconds;
static char call[32], then_call[32];
static int number, code, lasts, then_code;
static const char *mark, *from;
static atomic_int count, has_failed, has_then_failed;
// The error of the call that fails.
static _Thread_local int error;
static _Thread_local const char *path_of_call;

__attribute__((constructor)) static void read_fault(void) {
  const char *fault = getenv("FAULT");
  const char *slow = getenv("FAULT_SLOW");
  mark = getenv("FAULT_MARK");
  from = getenv("FAULT_FROM");
  // Only the program under test, not what it starts.
  if (strcmp(program_invocation_short_name, "appboot") != 0) return;
  if (slow) sscanf(slow, "%63s %d", slow_name, &slow_milliseconds);
  const char *then = getenv("FAULT_THEN");
  if (!fault || !mark) return;
  if (sscanf(fault, "%31s %d+ %d", call, &number, &code) == 3) lasts = 1;
  else sscanf(fault, "%31s %d %d", call, &number, &code);
  if (then) sscanf(then, "%31s %d", then_call, &then_code);
}

// Creates a file with the name of the call. Returns false if another process has created it.
static int leave_mark(const char *name, const char *suffix) {
  char place[4096];
  snprintf(place, sizeof place, "%s%s", mark, suffix);
  int file = syscall(SYS_openat, AT_FDCWD, place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return 0;
  char text[4200];
  int length = snprintf(text, sizeof text, "%s %s\n", name, path_of_call ? path_of_call : "");
  if (length > (int)sizeof text - 1) length = sizeof text - 1;
  syscall(SYS_write, file, text, length);
  syscall(SYS_close, file);
  return 1;
}

static int fails(const char *name) {
  if (number == 0) return 0;
  if (atomic_load(&has_failed) && strcmp(then_call, name) == 0 && atomic_exchange(&has_then_failed, 1) == 0) {
    error = then_code;
    leave_mark(name, ".then");
    return 1;
  }
  if (strcmp(call, name) != 0) return 0;
  if (from && syscall(SYS_faccessat, AT_FDCWD, from, F_OK) != 0) return 0;
  int made = atomic_fetch_add(&count, 1) + 1;
  if (lasts ? made < number : made != number) return 0;
  if (!atomic_load(&has_failed) && !leave_mark(name, "")) return 0;
  error = code;
  atomic_store(&has_failed, 1);
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL(name, result) \
  do { \
    if (fails(#name)) { errno = error; return result; } \
  } while (0)
#define FAIL_WITH_CODE(name) \
  do { \
    if (fails(#name)) return error; \
  } while (0)

int pipe2(int *ends, int flags) { FAIL(pipe2, -1); return REAL(pipe2)(ends, flags); }
int epoll_create1(int flags) { FAIL(epoll_create1, -1); return REAL(epoll_create1)(flags); }
int epoll_ctl(int poll, int what, int file, struct epoll_event *event) {
  FAIL(epoll_ctl, -1);
  return REAL(epoll_ctl)(poll, what, file, event);
}
int epoll_wait(int poll, struct epoll_event *events, int most, int timeout) {
  FAIL(epoll_wait, -1);
  return REAL(epoll_wait)(poll, events, most, timeout);
}
int eventfd(unsigned initial, int flags) { FAIL(eventfd, -1); return REAL(eventfd)(initial, flags); }
int poll(struct pollfd *files, nfds_t size, int timeout) { FAIL(poll, -1); return REAL(poll)(files, size, timeout); }
int socket(int domain, int type, int protocol) { FAIL(socket, -1); return REAL(socket)(domain, type, protocol); }
int waitid(idtype_t type, id_t id, siginfo_t *info, int options) {
  FAIL(waitid, -1);
  return REAL(waitid)(type, id, info, options);
}
pid_t waitpid(pid_t process, int *status, int options) {
  FAIL(waitpid, -1);
  return REAL(waitpid)(process, status, options);
}
ssize_t read(int file, void *bytes, size_t size) { FAIL(read, -1); return REAL(read)(file, bytes, size); }
static void wait_for_slow_disk(int file) {
  char link[64], path[4096];
  if (slow_milliseconds == 0) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path), name = strlen(slow_name);
  if (length >= name && memcmp(path + length - name, slow_name, name) == 0) usleep(slow_milliseconds * 1000);
}

static int is_regular(int file) {
  struct stat status;
  int is_file = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  return is_file;
}

ssize_t write(int file, const void *bytes, size_t size) {
  FAIL(write, -1);
  // What cannot be written to standard error cannot be told.
  int counts = strcmp(call, "write_file") == 0 || strcmp(then_call, "write_file") == 0;
  if (counts && file != 2 && is_regular(file) && fails("write_file")) {
    errno = error;
    return -1;
  }
  wait_for_slow_disk(file);
  return REAL(write)(file, bytes, size);
}
int flock(int file, int operation) { FAIL(flock, -1); return REAL(flock)(file, operation); }
int accept4(int file, struct sockaddr *address, socklen_t *size, int flags) {
  FAIL(accept4, -1);
  return REAL(accept4)(file, address, size, flags);
}
int bind(int file, const struct sockaddr *address, socklen_t size) {
  FAIL(bind, -1);
  return REAL(bind)(file, address, size);
}
int listen(int file, int most) { FAIL(listen, -1); return REAL(listen)(file, most); }
ssize_t recv(int file, void *bytes, size_t size, int flags) { FAIL(recv, -1); return REAL(recv)(file, bytes, size, flags); }
ssize_t send(int file, const void *bytes, size_t size, int flags) {
  FAIL(send, -1);
  return REAL(send)(file, bytes, size, flags);
}
int connect(int file, const struct sockaddr *address, socklen_t size) {
  FAIL(connect, -1);
  return REAL(connect)(file, address, size);
}
int unlink(const char *path) {
  path_of_call = path;
  FAIL(unlink, -1);
  path_of_call = NULL;
  return REAL(unlink)(path);
}
int ftruncate(int file, off_t length) { FAIL(ftruncate, -1); return REAL(ftruncate)(file, length); }
int fsync(int file) { FAIL(fsync, -1); return REAL(fsync)(file); }
DIR *opendir(const char *path) { FAIL(opendir, NULL); return REAL(opendir)(path); }
int mkdir(const char *path, mode_t mode) { FAIL(mkdir, -1); return REAL(mkdir)(path, mode); }
int rename(const char *from, const char *to) { FAIL(rename, -1); return REAL(rename)(from, to); }
int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  path_of_call = path;
  FAIL(open, -1);
  path_of_call = NULL;
  return REAL(open)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  path_of_call = path;
  FAIL(openat, -1);
  path_of_call = NULL;
  return REAL(openat)(folder, path, flags, mode);
}

int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  FAIL(fcntl, -1);
  return REAL(fcntl)(file, command, argument);
}

int posix_spawn(
    pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const *arguments, char *const *environment) {
  FAIL_WITH_CODE(posix_spawn);
  return REAL(posix_spawn)(process, path, actions, attributes, arguments, environment);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  FAIL_WITH_CODE(pthread_create);
  return REAL(pthread_create)(thread, attributes, body, argument);
}
