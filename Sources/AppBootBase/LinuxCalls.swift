import AppBootLibC

// C functions of Linux that Swift's Glibc module lacks: it is built without `_GNU_SOURCE`. Declaring them by symbol
// needs no C target and no look-up at run time. Every parameter is an integer or a pointer, for which Swift's calling
// convention equals C's on all supported platforms.
#if os(Linux)

/// The function sched_getaffinity(2) of the C library. It returns 0, or -1 with `errno`.
@_silgen_name("sched_getaffinity")
func linuxAffinity(_ process: Int32, _ size: Int, _ mask: UnsafeMutableRawPointer?) -> Int32

/// The function gettid(2), which glibc 2.30 and musl 1.2 added.
@_silgen_name("gettid")
func linuxThread() -> Int32

/// The function pthread_setname_np(3).
@_silgen_name("pthread_setname_np")
func linuxSetThreadName(_ thread: pthread_t, _ name: UnsafePointer<CChar>) -> Int32

#endif
