import AppBootLibC

/// A namespace for functions about the terminal of this process.
package enum Terminal {
  /// Returns whether a descriptor is a terminal (`isatty`, POSIX).
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// A Boolean that is true if the process has a controlling terminal (`/dev/tty`, POSIX).
  package static var isControlling: Bool { controllingFailure == nil }

  /// A Boolean that is true if the process had a controlling terminal at the first use of this property.
  package static let wasControlling = isControlling

  /// A Boolean that is true if the controlling terminal was closed. It is false if that cannot be checked.
  package static var hasGone: Bool { controllingFailure.map { isAbsence($0.code) } ?? false }

  /// A Boolean that is true if this process is in the foreground of its controlling terminal, and can read from it.
  static var isForeground: Bool { withControlling(isForeground(of:)) ?? false }

  /// Returns whether this process is in the foreground of a terminal.
  ///
  /// Returns false if this process's group is of another PID namespace, because all those groups have the number 0.
  static func isForeground(of descriptor: Int32) -> Bool {
    getpgrp() > 0 && tcgetpgrp(descriptor) == getpgrp()
  }

  /// Returns whether an `errno` value from opening `/dev/tty` means that there is no terminal.
  static func isAbsence(_ code: Int32) -> Bool { [ENXIO, ENODEV, EIO, ENOENT].contains(code) }

  private static var controllingFailure: SystemError? {
    do throws(SystemError) {
      Descriptor.close(try openControlling())
      return nil
    } catch {
      return error
    }
  }

  /// Calls a function with the descriptor of the controlling terminal. Returns `nil` if there is no terminal.
  static func withControlling<Result>(_ body: (Int32) -> Result) -> Result? {
    guard let descriptor = try? openControlling() else { return nil }
    defer { Descriptor.close(descriptor) }
    return body(descriptor)
  }

  private static func openControlling() throws(SystemError) -> Int32 {
    try FileSystem.open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK)
  }

  /// Returns the width in columns, from the terminal or from `COLUMNS`; `nil` if it is unknown.
  package static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    guard let columns = ProcessEnvironment.value(of: "COLUMNS").flatMap({ Int($0) }) else { return nil }
    return columns > 0 ? columns : nil
  }

  /// The type of the terminal, which is the value of `TERM`; `nil` if it is not set or empty.
  package static var type: String? {
    ProcessEnvironment.value(of: "TERM").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A Boolean that is true if the encoding of the locale is UTF-8.
  package static var isUTF8Locale: Bool { isUTF8Locale(ProcessEnvironment.value(of:)) }

  /// Returns whether the locale's variables select UTF-8. The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set
  /// counts (POSIX, 8.2).
  package static func isUTF8Locale(_ variable: (String) -> String?) -> Bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let value = variable(name), !value.isEmpty else { continue }
      let locale = value.lowercased()
      // language_TERRITORY.codeset@modifier (POSIX, 8.2); on macOS also a bare codeset.
      let codeset = locale.split(separator: ".", maxSplits: 1).last?.prefix { $0 != "@" }
      return codeset == "utf-8" || codeset == "utf8"
    }
    return false
  }

  /// Returns whether the terminal's background is dark; `nil` if it is unknown.
  ///
  /// It reads `COLORFGBG`, or asks the terminal. A background process does not ask, because the system would stop it
  /// (`SIGTTOU`). The settings of the terminal are restored afterwards.
  package static func backgroundIsDark(timeoutMilliseconds: Int = 200) -> Bool? {
    if let answer = ProcessEnvironment.value(of: "COLORFGBG").flatMap(TerminalColor.isDark(colorFGBG:)) {
      return answer
    }
    guard let type, type != "dumb" else { return nil }
    let deadline = MonotonicClock.now() + Int64(max(0, timeoutMilliseconds)) * 1_000_000
    return ask(until: deadline).flatMap(TerminalColor.background(in:))?.isDark
  }

  /// Returns the terminal's answers to OSC 11 (the background colour; xterm, "Control Sequences") and to DA1.
  ///
  /// Every terminal answers DA1. That answer ends the wait if the terminal does not answer OSC 11. Returns `nil` if the
  /// terminal cannot be asked.
  private static func ask(until deadline: Int64) -> [UInt8]? {
    withControlling { ask($0, until: deadline) } ?? nil
  }

  private static func ask(_ descriptor: Int32, until deadline: Int64) -> [UInt8]? {
    guard isForeground(of: descriptor) else { return nil }
    var before = termios()
    guard tcgetattr(descriptor, &before) == 0 else { return nil }
    var quiet = before
    // No echo and no line buffering. Signals from the keyboard keep working.
    quiet.c_lflag &= ~tcflag_t(ECHO | ICANON)
    guard tcsetattr(descriptor, TCSANOW, &quiet) == 0 else { return nil }
    defer { tcsetattr(descriptor, TCSANOW, &before) }
    // Pending input belongs to the shell. It could not be separated from the answer, nor put back.
    guard !hasInput(descriptor) else { return nil }
    let question = Array("\u{1B}]11;?\u{07}\u{1B}[c".utf8)
    guard (try? FileSystem.writeAll(descriptor, question, path: nil)) != nil else { return nil }
    return readAnswer(descriptor, until: deadline)
  }

  /// Returns whether input is waiting (`FIONREAD`). On Darwin poll(2) does not support terminals.
  private static func hasInput(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
    // _IOR('f', 127, int), a macro that Swift cannot import.
    let request: UInt = 0x4004_667F
    #else
    let request = UInt(FIONREAD)
    #endif
    var count: Int32 = 0
    return ioctl(descriptor, request, &count) == 0 && count > 0
  }

  private static func readAnswer(_ descriptor: Int32, until deadline: Int64) -> [UInt8] {
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256)
    while !TerminalColor.isComplete(answer), answer.count < 4096 {
      guard Descriptor.wait(descriptor, for: Int32(POLLIN), until: deadline) else { break }
      let count = retryingInterrupts { read(descriptor, &chunk, chunk.count) }
      guard count > 0 else { break }
      answer += chunk.prefix(count)
    }
    return answer
  }
}
