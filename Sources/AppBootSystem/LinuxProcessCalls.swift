import AppBootLibC

// Further C functions of Linux, as in `LinuxCalls.swift`: those for processes, sockets and pollers. Swift's
// Glibc module is also built without <sys/epoll.h> and <sys/eventfd.h>. `syscall` reads its arguments from registers
// (assembly in glibc, six arguments in musl), so six may be declared.
#if os(Linux)

/// The function pipe2(2).
@_silgen_name("pipe2")
func linuxPipe2(_ descriptors: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32

/// The function syscall(2). It makes system calls for which older C libraries have no function.
@_silgen_name("syscall")
func linuxSyscall(_ number: Int, _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int) -> Int

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

/// The function memfd_create(2).
@_silgen_name("memfd_create")
func linuxMemoryFile(_ name: UnsafePointer<CChar>, _ flags: UInt32) -> Int32

/// The function accept4(2).
@_silgen_name("accept4")
func linuxAccept4(
  _ listener: Int32, _ address: UnsafeMutableRawPointer?, _ size: UnsafeMutableRawPointer?, _ flags: Int32
) -> Int32

/// The function posix_spawn_file_actions_addchdir_np(3).
@_silgen_name("posix_spawn_file_actions_addchdir_np")
func linuxAddChangeDirectory(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ path: UnsafePointer<CChar>
) -> Int32

/// The function prctl(2). It reads its arguments after the first one as integers of a machine word.
@_silgen_name("prctl")
func linuxProcessControl(_ option: Int32, _ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Int32

#if canImport(Glibc)
/// The function posix_spawn_file_actions_addtcsetpgrp_np; `nil` before glibc 2.35.
let linuxAddForeground: (@convention(c) (UnsafeMutableRawPointer, Int32) -> Int32)? = {
  guard let address = dlsym(nil, "posix_spawn_file_actions_addtcsetpgrp_np") else { return nil }
  return unsafeBitCast(address, to: (@convention(c) (UnsafeMutableRawPointer, Int32) -> Int32).self)
}()
#endif

#endif
