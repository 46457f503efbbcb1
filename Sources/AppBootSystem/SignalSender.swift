#if os(Linux)

import AppBootLibC

extension siginfo_t {
  /// The process that sent the signal by kill(2) or sigqueue(3).
  var sender: Int32 {
    #if canImport(Musl)
    __si_fields.__si_common.__first.__piduid.si_pid
    #else
    _sifields._kill.si_pid
    #endif
  }
}

#endif
