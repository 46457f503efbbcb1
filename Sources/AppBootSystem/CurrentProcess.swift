#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The process that this code runs in.
package enum CurrentProcess {
  /// The first argument whose bytes are not UTF-8, with U+FFFD in place of those that are not; `nil` where all are.
  ///
  /// POSIX gives a program bytes, and `CommandLine.arguments` repairs them without a word.
  package static var argumentNotUTF8: String? {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index] else { continue }
      if String(validatingCString: bytes) == nil { return String(cString: bytes) }
    }
    return nil
  }

  /// Gives 0, 1 and 2 to /dev/null where they are closed: no file that is opened later gets what is written to them.
  ///
  /// Reading from the one and writing to the others stays an error, as POSIX has it for closed ones (`EBADF`).
  package static func keepStandardDescriptors() {
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Ends the process in order: what was registered with `atexit` runs (`exit`, POSIX).
  package static func exit(_ code: Int32) -> Never { systemExit(code) }

  /// Ends the process at once, for a thread that may not wait for the others (`_exit`, POSIX).
  package static func exitAtOnce(_ code: Int32) -> Never { _exit(code) }
}

/// exit(3), under a name that `CurrentProcess.exit` does not hide.
private func systemExit(_ code: Int32) -> Never { exit(code) }
