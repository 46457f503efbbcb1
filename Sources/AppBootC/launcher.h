// Starts a program as another user, with limits or with sockets, which posix_spawn(3) cannot.
//
// Between vfork(2) and execve(2) a process may only make system calls: Swift could take a lock, and a function of the C
// library could change the threads of the parent. Go starts programs in the same way.

#ifndef APPBOOT_LAUNCHER_H
#define APPBOOT_LAUNCHER_H

#ifdef __APPLE__
#include <TargetConditionals.h>
#endif

#if defined(__linux__) || (defined(TARGET_OS_OSX) && TARGET_OS_OSX)

// No header with a structure that Swift files use: a second definition would hide its members from those files.
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#else
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
void (*_Nullable signal(int, void (*_Nullable)(int)))(int);
int sigprocmask(int, const uint32_t *_Nullable, uint32_t *_Nullable);
#endif

// The calls of a new process that can fail. Those of the limits are in the order of the limits.
enum {
  APPBOOT_SESSION = 1,
  APPBOOT_LIMIT_FILES,
  APPBOOT_LIMIT_PROCESSES,
  APPBOOT_LIMIT_CORE,
  APPBOOT_GROUPS,
  APPBOOT_GROUP,
  APPBOOT_USER,
  APPBOOT_PRIVILEGES,
  APPBOOT_DIRECTORY,
  APPBOOT_PROGRAM
};

struct appboot_limit {
  int32_t is_set;
  uint64_t value;
};

struct appboot_launch {
  const char *_Nullable program;  // NULL to try the settings, and then to exit
  char *_Nullable const *_Nullable arguments;
  char *_Nullable const *_Nullable environment;
  const char *_Nullable directory;
  int32_t streams[3];  // -1 is /dev/null, and a stream's own number keeps it
  int32_t sockets;     // the number of descriptors from 3 that stay open
  int32_t errors;      // the pipe for the failed call and its errno; it closes when the program starts
  int32_t is_interactive;
  int32_t mask;  // -1 keeps the umask
  struct appboot_limit limits[3];
  int32_t has_owner;
  uint32_t user;
  uint32_t group;
  int32_t group_count;  // -1 keeps the supplementary groups
  const uint32_t *_Nullable groups;
};

static inline void appboot_fail(const struct appboot_launch *_Nonnull launch, int32_t call) {
  int32_t failure[2] = {call, errno};
  if (write(launch->errors, failure, sizeof failure) < 0) _exit(126);
  _exit(127);
}

static inline void appboot_require(
    const struct appboot_launch *_Nonnull launch, int result, int32_t call) {
  if (result < 0) appboot_fail(launch, call);
}

#ifdef __linux__

static inline int appboot_open_null(int writes) {
  return (int)syscall(SYS_openat, -100, "/dev/null", 02000000 | (writes ? 2 : 0));  // AT_FDCWD, O_CLOEXEC, O_RDWR
}

static inline void appboot_close_on_exec(int descriptor, int closes) {
  syscall(SYS_fcntl, descriptor, 2, closes);  // F_SETFD, FD_CLOEXEC
}

static inline int appboot_set_limit(int index, uint64_t value) {
  const int resources[3] = {7, 6, 4};  // RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_CORE
  uint64_t limit[2] = {value, value};
  return (int)syscall(SYS_prlimit64, 0, resources[index], limit, 0);
}

static inline uint64_t appboot_file_limit(void) {
  uint64_t limit[2] = {0, 0};
  syscall(SYS_prlimit64, 0, 7, 0, limit);
  return limit[0];
}

static inline void appboot_set_mask(int mask) { syscall(SYS_umask, mask); }

static inline void appboot_reset_signals(void) {
  uint64_t none[4] = {0};  // SIG_DFL without flags; no signals
  for (int number = 1; number <= 64; number++) syscall(SYS_rt_sigaction, number, none, 0, 8);
  syscall(SYS_rt_sigprocmask, 2, none, 0, 8);  // SIG_SETMASK
}

#else

static inline int appboot_open_null(int writes) { return open("/dev/null", O_CLOEXEC | (writes ? O_RDWR : O_RDONLY)); }

static inline void appboot_close_on_exec(int descriptor, int closes) {
  fcntl(descriptor, F_SETFD, closes ? FD_CLOEXEC : 0);
}

static inline int appboot_set_limit(int index, uint64_t value) {
  const int resources[3] = {RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_CORE};
  rlim_t most = value > RLIM_INFINITY ? RLIM_INFINITY : value;
  struct rlimit limit = {most, most};
  return setrlimit(resources[index], &limit);
}

static inline uint64_t appboot_file_limit(void) {
  struct rlimit limit = {0, 0};
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

static inline void appboot_set_mask(int mask) { umask((mode_t)mask); }

static inline void appboot_reset_signals(void) {
  for (int number = 1; number < 32; number++) signal(number, 0);  // SIG_DFL
  uint32_t none = 0;
  sigprocmask(3, &none, 0);  // SIG_SETMASK
}

#endif

// Connects the standard streams. If another user gets the process, the other descriptors close when its program starts,
// except the sockets.
static inline void appboot_connect(const struct appboot_launch *_Nonnull launch) {
  for (int place = 0; place < 3; place++) {
    int descriptor = launch->streams[place];
    if (descriptor < 0) {
      descriptor = appboot_open_null(place > 0);
      appboot_require(launch, descriptor, APPBOOT_PROGRAM);
    }
    if (descriptor == place) {
      appboot_close_on_exec(place, 0);
    } else {
      appboot_require(launch, dup2(descriptor, place), APPBOOT_PROGRAM);
    }
  }
  int first = 3 + launch->sockets;
  for (int socket = 3; socket < first; socket++) appboot_close_on_exec(socket, 0);
  if (!launch->has_owner) return;
#ifdef __linux__
  if (syscall(436, first, ~0U, 4) == 0) return;  // close_range with CLOSE_RANGE_CLOEXEC, since Linux 5.11
#endif
  uint64_t limit = appboot_file_limit();
  if (limit > 1 << 20) limit = 1 << 20;
  for (int next = first; (uint64_t)next < limit; next++) appboot_close_on_exec(next, 1);
}

static inline void appboot_restrict(const struct appboot_launch *_Nonnull launch) {
  for (int index = 0; index < 3; index++) {
    if (!launch->limits[index].is_set) continue;
    int result = appboot_set_limit(index, launch->limits[index].value);
    appboot_require(launch, result, APPBOOT_LIMIT_FILES + index);
  }
  if (launch->mask >= 0) appboot_set_mask(launch->mask);
}

// Changes the groups and the user. A process that is no longer root can never get a privilege again.
static inline void appboot_change_user(const struct appboot_launch *_Nonnull launch, int drops) {
  long user = launch->user, group = launch->group;
#ifdef __linux__
#ifdef SYS_setresuid32  // 32-bit machines, on which the others have 16 bits
  long calls[3] = {SYS_setgroups32, SYS_setresgid32, SYS_setresuid32};
#else
  long calls[3] = {SYS_setgroups, SYS_setresgid, SYS_setresuid};
#endif
  // Without CAP_SETPCAP the bounding set stays, but PR_SET_NO_NEW_PRIVS keeps a program from gaining any of it.
  for (int capability = 0; drops && capability < 64; capability++) {
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) break;
  }
  if (launch->group_count >= 0) {
    appboot_require(launch, (int)syscall(calls[0], launch->group_count, launch->groups), APPBOOT_GROUPS);
  }
  appboot_require(launch, (int)syscall(calls[1], group, group, group), APPBOOT_GROUP);
  appboot_require(launch, (int)syscall(calls[2], user, user, user), APPBOOT_USER);
  if (!drops) return;
  uint32_t header[2] = {0x20080522, 0};  // _LINUX_CAPABILITY_VERSION_3 (capset(2))
  uint32_t none[6] = {0};
  appboot_require(launch, (int)syscall(SYS_capset, header, none), APPBOOT_PRIVILEGES);
  appboot_require(launch, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), APPBOOT_PRIVILEGES);
#else
  if (launch->group_count >= 0) {
    appboot_require(launch, setgroups(launch->group_count, launch->groups), APPBOOT_GROUPS);
  }
  appboot_require(launch, setgid((gid_t)group), APPBOOT_GROUP);
  appboot_require(launch, setuid((uid_t)user), APPBOOT_USER);
#endif
}

// Writes the process's identifier into the variable LISTEN_PID, whose value has room for it (sd_listen_fds(3)).
static inline void appboot_name_listener(char *_Nullable const *_Nonnull environment) {
  for (; *environment; environment++) {
    if (strncmp(*environment, "LISTEN_PID=", 11) != 0) continue;
    char digits[12], *place = *environment + 11;
    int count = 0;
    for (pid_t rest = getpid(); rest > 0; rest /= 10) digits[count++] = (char)('0' + rest % 10);
    while (count > 0) *place++ = digits[--count];
    *place = 0;
  }
}

static inline void appboot_become_program(const struct appboot_launch *_Nonnull launch) {
  int drops = launch->has_owner && launch->user != geteuid();
  // In a session of its own it has no terminal, into which it could type.
  int result = drops && !launch->is_interactive ? setsid() : setpgid(0, 0);
  appboot_require(launch, result, APPBOOT_SESSION);
  appboot_connect(launch);
  if (launch->is_interactive) tcsetpgrp(0, getpid());  // SIGTTOU is blocked
  appboot_restrict(launch);
  if (launch->has_owner) appboot_change_user(launch, drops);
  if (launch->directory) appboot_require(launch, chdir(launch->directory), APPBOOT_DIRECTORY);
  if (!launch->program) _exit(0);
  if (launch->sockets > 0) appboot_name_listener(launch->environment);
  appboot_reset_signals();
  execve(launch->program, launch->arguments, launch->environment);
  appboot_fail(launch, APPBOOT_PROGRAM);
}

// Returns the new process, or the negative errno. All signals are blocked. It returns when the program has started.
static inline pid_t appboot_start(const struct appboot_launch *_Nonnull launch) {
#ifdef __linux__
  // The child shares this process's memory. When it changes its user, that memory is no longer dumpable (proc(5)).
  int dumps = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
  pid_t child = vfork();
  if (child == 0) appboot_become_program(launch);
  int code = errno;
  if (dumps == 1) prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
#else
  pid_t child = fork();
  if (child == 0) appboot_become_program(launch);
  int code = errno;
#endif
  return child < 0 ? -code : child;
}

#endif
#endif
