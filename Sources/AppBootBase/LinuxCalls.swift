import AppBootLibC

// C functions of Linux that Swift's Glibc module lacks: it is built without `_GNU_SOURCE`, and without <sys/epoll.h>
// and <sys/eventfd.h>. Declaring them by symbol needs no C target and no look-up at run time. Every parameter is an
// integer or a pointer, for which Swift's calling convention equals C's on all supported platforms. `syscall` reads its
// arguments from registers (assembly in glibc, six arguments in musl), so six may be declared.
#if os(Linux)

/// The function syscall(2). It makes system calls for which older C libraries have no function.
@_silgen_name("syscall")
package func linuxSyscall(_ number: Int, _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int) -> Int

/// The function pipe2(2).
@_silgen_name("pipe2")
func linuxPipe2(_ descriptors: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32

/// The function epoll_create1(2).
@_silgen_name("epoll_create1")
func linuxEpollCreate1(_ flags: Int32) -> Int32

/// The function epoll_ctl(2). `Poller` writes the `struct epoll_event` itself.
@_silgen_name("epoll_ctl")
func linuxEpollControl(
  _ epoll: Int32, _ operation: Int32, _ descriptor: Int32, _ event: UnsafeMutableRawPointer?
) -> Int32

/// The function epoll_wait(2).
@_silgen_name("epoll_wait")
func linuxEpollWait(
  _ epoll: Int32, _ events: UnsafeMutableRawPointer?, _ capacity: Int32, _ milliseconds: Int32
) -> Int32

/// The function eventfd(2).
@_silgen_name("eventfd")
func linuxEventDescriptor(_ initial: UInt32, _ flags: Int32) -> Int32

/// The function sched_getaffinity(2) of the C library. It returns 0, or -1 with `errno`.
@_silgen_name("sched_getaffinity")
func linuxAffinity(_ process: Int32, _ size: Int, _ mask: UnsafeMutableRawPointer?) -> Int32

/// The function gettid(2), which glibc 2.30 and musl 1.2 added.
@_silgen_name("gettid")
func linuxThread() -> Int32

/// The function pthread_setname_np(3).
@_silgen_name("pthread_setname_np")
func linuxSetThreadName(_ thread: pthread_t, _ name: UnsafePointer<CChar>) -> Int32

/// The numbers of system calls (`asm/unistd.h`). Numbers above 423 are the same on all architectures.
package enum LinuxSyscall {
  /// The number of epoll_pwait2(2), which Linux 5.11 added.
  static var epollWait2: Int { 441 }
}

#endif
