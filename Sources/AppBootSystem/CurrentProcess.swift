#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The process that this code runs in.
package enum CurrentProcess {
  /// Ends the process in order: what was registered with `atexit` runs (`exit`, POSIX).
  package static func exit(_ code: Int32) -> Never { systemExit(code) }

  /// Ends the process at once, for a thread that may not wait for the others (`_exit`, POSIX).
  package static func exitAtOnce(_ code: Int32) -> Never { _exit(code) }
}

/// exit(3), under a name that `CurrentProcess.exit` does not hide.
private func systemExit(_ code: Int32) -> Never { exit(code) }
