#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The clock that never goes back: nanoseconds since an arbitrary start (`clock_gettime`, POSIX).
package enum MonotonicClock {
  /// Nanoseconds since the system's arbitrary start; one vDSO call, no system call on Linux.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// The time so many nanoseconds from now; the last one there is where that is later still.
  package static func deadline(after nanoseconds: Int64) -> Int64 {
    let (time, isTooLate) = now().addingReportingOverflow(nanoseconds)
    return isTooLate ? .max : time
  }
}

/// The processor time that the calling thread has used (`CLOCK_THREAD_CPUTIME_ID`, POSIX).
package enum ThreadClock {
  /// Nanoseconds of user and system time; a system call, about a microsecond on Linux.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
