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

  static func openControlling() throws(SystemError) -> Int32 {
    try FileSystem.open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK)
  }

  /// Opens the controlling terminal by its own name if a standard descriptor has it: kqueue cannot watch `/dev/tty`.
  static func openForPolling() throws(SystemError) -> Int32 {
    for standard in 0...2 as ClosedRange<Int32> where tcgetpgrp(standard) >= 0 {
      var name = [CChar](repeating: 0, count: 1024)
      guard ttyname_r(standard, &name, name.count) == 0 else { continue }
      let bytes = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      let path = String(decoding: bytes, as: UTF8.self)
      if let opened = try? FileSystem.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK) { return opened }
    }
    return try openControlling()
  }

  /// Returns the columns and rows of a terminal; `nil` if they are unknown.
  package static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// Returns the width in columns, from the terminal or from `COLUMNS`; `nil` if it is unknown.
  package static func width(of descriptor: Int32) -> Int? {
    if let size = size(of: descriptor) { return size.columns }
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

  /// Returns whether the terminal's background is dark, from `COLORFGBG`; `nil` if it is unknown.
  package static var backgroundIsDark: Bool? {
    ProcessEnvironment.value(of: "COLORFGBG").flatMap(isDark(colorFGBG:))
  }

  /// Returns whether a value of `COLORFGBG`, for example `15;0` or `0;default;15`, has a dark background.
  ///
  /// The last part is the background's palette index. 7 and 9 to 15 are light; 8 is dark grey (rxvt's and vim's rule).
  /// Returns `nil` if the last part is not a number from 0 to 15.
  static func isDark(colorFGBG text: String) -> Bool? {
    guard let last = text.split(separator: ";").last, let index = Int(last), (0...15).contains(index) else {
      return nil
    }
    return index <= 6 || index == 8
  }
}
