// Functions of Linux that Swift's modules of the C library lack: Glibc is built without `_GNU_SOURCE`, and without
// <sys/epoll.h>, <sys/eventfd.h> and <sys/statfs.h>.
//
// They have names of their own, so that a later module with the functions does not make calls ambiguous. Structures are
// untyped, because a second definition would hide their members from Swift files.

#ifndef APPBOOT_LINUX_H
#define APPBOOT_LINUX_H

#ifdef __linux__

#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

int appboot_pipe2(int *_Nonnull descriptors, int flags) __asm__("pipe2");
int appboot_accept4(int listener, void *_Nullable address, void *_Nullable size, int flags) __asm__("accept4");
int appboot_memfd_create(const char *_Nonnull name, unsigned int flags) __asm__("memfd_create");
int appboot_eventfd(unsigned int initial, int flags) __asm__("eventfd");
int appboot_epoll_create1(int flags) __asm__("epoll_create1");
int appboot_epoll_ctl(int epoll, int operation, int descriptor, void *_Nullable event) __asm__("epoll_ctl");
int appboot_epoll_wait(int epoll, void *_Nullable events, int capacity, int milliseconds) __asm__("epoll_wait");
int appboot_statfs(const char *_Nonnull path, void *_Nonnull status) __asm__("statfs");
ssize_t appboot_getxattr(const char *_Nonnull path, const char *_Nonnull name, void *_Nullable value, size_t size)
    __asm__("getxattr");
int appboot_addchdir(void *_Nonnull actions, const char *_Nonnull path)
    __asm__("posix_spawn_file_actions_addchdir_np");

// Swift cannot call functions with a variable number of arguments.
static inline long appboot_syscall(long number, long a, long b, long c, long d, long e, long f) {
  return syscall(number, a, b, c, d, e, f);
}

static inline int appboot_prctl(int option, long a, long b, long c, long d) { return prctl(option, a, b, c, d); }

#endif
#endif
