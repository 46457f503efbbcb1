import AppBootLibC

/// A namespace for functions about the process in which this code runs.
package enum CurrentProcess {
  /// The first argument after the program's name that is not valid UTF-8; `nil` if all are valid.
  ///
  /// Its invalid bytes are replaced by U+FFFD. POSIX arguments are bytes, and `CommandLine.arguments` repairs them
  /// silently.
  package static var argumentNotUTF8: String? {
    for bytes in pointers.dropFirst() where String(validatingCString: bytes) == nil {
      return String(cString: bytes)
    }
    return nil
  }

  /// The arguments of the process, the first of which is the program's name. Invalid UTF-8 is replaced by U+FFFD.
  package static var arguments: [String] { pointers.map { String(cString: $0) } }

  private static var pointers: [UnsafeMutablePointer<CChar>] {
    // Swift reads /proc/self/cmdline, and has no argument at all without it.
    if CommandLine.argc == 0 { return initialArguments }
    return (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
  }

  /// The arguments on the initial stack of the process; empty if variables were set since its start.
  ///
  /// The stack has their number, the arguments, zero, and then the variables (System V ABI, "Process Initialization").
  private static var initialArguments: [UnsafeMutablePointer<CChar>] {
    guard let variables = ProcessEnvironment.block, (variables - 1).pointee == nil else { return [] }
    var arguments: [UnsafeMutablePointer<CChar>] = []
    while let argument = (variables - 2 - arguments.count).pointee,
      Int(bitPattern: argument) != arguments.count
    {
      arguments.append(argument)
    }
    return arguments.reversed()
  }

  /// Opens `/dev/null` for each standard descriptor (0, 1, 2) that is closed.
  ///
  /// Otherwise a file that is opened later could get one of these numbers, and the process would write its output into
  /// that file. Reading from 0 and writing to 1 or 2 still fails with `EBADF`, as it does for a closed descriptor.
  package static func keepStandardDescriptors() {
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Ends the process after running the functions that were registered with `atexit` (`exit`, POSIX).
  package static func exit(_ code: Int32) -> Never { systemExit(code) }

  /// Ends the process at once, without `atexit` functions and without waiting for other threads (`_exit`, POSIX).
  package static func exitAtOnce(_ code: Int32) -> Never { _exit(code) }
}

/// Calls exit(3). The separate name is needed because `CurrentProcess.exit` hides the function.
private func systemExit(_ code: Int32) -> Never { exit(code) }
