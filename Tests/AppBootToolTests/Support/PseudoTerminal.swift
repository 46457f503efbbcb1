#if os(Linux)
import AppBootLibC
import AppBootSystem
import AppBootTestSupport

/// A terminal for one test: the test reads what programs print on it, and types (pty(7)).
final class PseudoTerminal {
  /// The path of the end for programs.
  let path: String
  private let descriptor: Int32
  private var output: [UInt8] = []

  init() throws {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var unlocked: Int32 = 0
    var number: Int32 = 0
    // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), macros that Swift cannot import.
    guard ioctl(descriptor, 0x4004_5431, &unlocked) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0 else {
      throw SystemError(call: "open a terminal", code: errno)
    }
    path = "/dev/pts/\(number)"
  }

  deinit { close(descriptor) }

  /// The text printed until now.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// Types a text.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Sets the width of the terminal.
  func resize(columns: UInt16) {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Types Control and a letter.
  func typeControl(_ letter: Character) { type(String(UnicodeScalar((letter.asciiValue ?? 0) & 0x1F))) }

  /// Reads until a text is printed, and forgets all up to its end. Returns false after a minute, or at the hang-up.
  ///
  /// - Parameter before: What has to be printed before it; nil for any text.
  func wait(for text: String, after before: String? = nil) -> Bool {
    let bytes = Array(text.utf8)
    let deadline = Patience.end
    while true {
      for start in output.indices where output[start...].starts(with: bytes) {
        let isExpected = before.map { Array($0.utf8) == Array(output[..<start]) } ?? true
        output.removeFirst(start + bytes.count)
        return isExpected
      }
      guard MonotonicClock.now() < deadline, read() else { return false }
    }
  }

  /// Reads until no program holds the terminal. Returns all that is printed.
  func readAll() -> String {
    while read() {}
    return text
  }

  /// Reads once; returns false at the hang-up.
  private func read() -> Bool {
    var look = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&look, 1, 1000) > 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = systemRead(descriptor, &bytes, bytes.count)
    guard count > 0 else { return false }
    output += bytes.prefix(count)
    return true
  }
}

extension ToolProcess {
  /// Runs the tool as the leader of a session with this terminal; standard output stays a pipe.
  func terminal(_ terminal: PseudoTerminal) -> Self {
    environment("APPBOOT_TEST_TERMINAL", terminal.path)
      .script(#"exec setsid --wait --ctty "$0" "$@" <"$APPBOOT_TEST_TERMINAL" 2>"$APPBOOT_TEST_ERRORS""#)
  }
}

/// Calls read(2), under a name that `PseudoTerminal` does not hide.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, buffer, count)
}
#endif
