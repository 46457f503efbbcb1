import AppBootLibC

/// A loan of the controlling terminal to an interactive process, whose process group is then in the foreground.
///
/// ```
/// open ─lend→ lent ─end→ ended
///              ↕ Control-Z, fg
///           suspended
/// ```
///
/// During the loan this process prints nothing on a terminal (``StandardOutput``). At the end its own group is in the
/// foreground again, and the terminal has its earlier settings.
package final class TerminalLoan: Sendable {
  private enum Phase: Sendable {
    case open
    case lent(to: Subprocess)
    /// A Control-Z has stopped the interactive process and this process. The settings are those of the interactive
    /// process.
    case suspended(Subprocess, Terminal.Settings?)
    case ended
  }

  /// The nanoseconds between two calls of ``attend()``.
  package static let interval: Int64 = 100_000_000

  /// The descriptor of the terminal. It is open for reading and writing until the end of the loan.
  package let descriptor: Int32
  private let settings: Terminal.Settings?
  private let phase = Lock(Phase.open)

  /// Opens the terminal. This process must be in its foreground.
  package init() throws(TerminalLoanError) {
    descriptor = try Terminal.openForProcess()
    guard Terminal.isForeground(of: descriptor) else {
      Descriptor.close(descriptor)
      throw .inBackground
    }
    settings = Terminal.Settings(of: descriptor)
    Self.observer.withLock(\.self)?(true)
    loans.withLock { $0 += 1 }
  }

  deinit { end() }

  // MARK: - Other output

  /// A Boolean that is true while an interactive process has the terminal.
  package static var isActive: Bool { loans.withLock(\.self) > 0 }

  /// Sets a function that is called with true before a loan begins, and with false after it has ended.
  package static func observe(_ observer: @escaping @Sendable (Bool) -> Void) {
    Self.observer.withLock { $0 = observer }
  }

  private static let observer = Lock<(@Sendable (Bool) -> Void)?>(nil)

  // MARK: - The process

  /// Lends the terminal to a process that was just started, and brings it to the foreground if it did not start there.
  package func lend(to process: Subprocess) {
    phase.withLock { phase in
      guard case .open = phase else { return }
      // A process that started there may have passed the foreground on.
      if !Terminal.startsInForeground { bringToForeground(process) }
      phase = .lent(to: process)
    }
  }

  /// Handles a stop of the interactive process.
  ///
  /// A Control-Z also stops this process's group, until the group is in the foreground again.
  package func attend() {
    phase.withLock { phase in
      switch phase {
      case .open, .ended: return
      case .suspended(let process, let settings):
        if isInForeground { phase = resume(process, settings) }
      case .lent(let process):
        guard process.stopSignal != nil else { return }
        // It was not in the foreground yet.
        if process.terminalRequest != nil { return bringToForeground(process) }
        let settings = Terminal.Settings(of: descriptor)
        takeBack()
        Self.stopGroup()
        phase = isInForeground ? resume(process, settings) : .suspended(process, settings)
      }
    }
  }

  /// Takes the terminal back, and allows other output on it.
  package func end() {
    let isOver = phase.withLock { phase in
      switch phase {
      case .ended: return false
      case .lent: takeBack()
      // A program that could not be started has left its group in the foreground.
      case .open: Terminal.reclaim(with: settings)
      case .suspended: break
      }
      phase = .ended
      return true
    }
    guard isOver else { return }
    Descriptor.close(descriptor)
    loans.withLock { $0 -= 1 }
    Self.observer.withLock(\.self)?(false)
  }

  // MARK: - The foreground

  private var isInForeground: Bool { Terminal.isForeground(of: descriptor) }

  private func resume(_ process: Subprocess, _ settings: Terminal.Settings?) -> Phase {
    settings?.apply(to: descriptor)
    bringToForeground(process)
    return .lent(to: process)
  }

  /// Brings a process to the foreground, and resumes it. It may have asked for the terminal before, and so be stopped.
  private func bringToForeground(_ process: Subprocess) {
    Terminal.setForeground(process.processIdentifier, of: descriptor)
    process.killGroup(SIGCONT)
  }

  private func takeBack() {
    Terminal.setForeground(getpgrp(), of: descriptor)
    settings?.apply(to: descriptor)
  }

  /// Stops this process and its group, as a Control-Z does. Returns when it is resumed.
  ///
  /// It has no effect if the program handles the signal, or if there is no shell that could resume the group (POSIX,
  /// "orphaned process group").
  private static func stopGroup() {
    guard Signals.hasDefaultAction(SIGTSTP) else { return }
    // The others first: a raised signal stops this process before the call returns.
    Signals.ignore(SIGTSTP)
    kill(0, SIGTSTP)
    Signals.restoreDefault(SIGTSTP)
    raise(SIGTSTP)
  }
}

/// The controlling terminal while a program draws the whole screen on it.
package final class RawTerminal: Sendable {
  /// The descriptor, which is readable when a key was typed. It never blocks.
  package let descriptor: Int32
  private let settings: Terminal.Settings
  /// True while the empty screen is shown.
  private let isShown = Lock(false)

  /// Opens the terminal, and does not change it.
  ///
  /// - Throws: ``TerminalLoanError`` if there is no terminal, or if this process is in its background.
  package init() throws(TerminalLoanError) {
    guard let descriptor = try? Terminal.openForPolling() else { throw .noTerminal }
    guard Terminal.isForeground(of: descriptor), let settings = Terminal.Settings(of: descriptor) else {
      Descriptor.close(descriptor)
      throw .inBackground
    }
    (self.descriptor, self.settings) = (descriptor, settings)
  }

  deinit { Descriptor.close(descriptor) }

  /// True if this process is in the foreground of the terminal.
  package var isForeground: Bool { Terminal.isForeground(of: descriptor) }

  /// The number of columns and rows. A terminal that does not know them has 80 and 24.
  package var size: (columns: Int, rows: Int) { Terminal.size(of: descriptor) ?? (80, 24) }

  /// Shows an empty screen beside the normal one, without a cursor, and passes each key to ``read()``.
  package func begin() {
    isShown.withLock { $0 = true }
    settings.raw.apply(to: descriptor)
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
  }

  /// Shows the normal screen again, and restores the settings. Does nothing before ``begin()``.
  package func end() {
    let wasShown = isShown.withLock { isShown in
      defer { isShown = false }
      return isShown
    }
    guard wasShown else { return }
    write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
    settings.apply(to: descriptor)
  }

  /// Sends `TSTP` to the process group, as a Control-Z does in other modes.
  ///
  /// Does nothing in the first process of a session, because no shell could resume it.
  package func stopGroup() { if getsid(0) != getpid() { kill(0, SIGTSTP) } }

  /// Returns the bytes that were typed; `nil` if the terminal has gone.
  package func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = retryingInterrupts { systemRead(descriptor, &bytes, bytes.count) }
    if count < 0 { return errno == EAGAIN ? [] : nil }
    return count == 0 ? nil : Array(bytes[..<count])
  }

  /// Writes a text. If the terminal takes no bytes for a second, drops the rest and returns false.
  ///
  /// - Parameter signals: A descriptor that ends the wait for the terminal when it is readable; `nil` for none.
  @discardableResult
  package func write(_ text: String, unless signals: Int32? = nil) -> Bool {
    var bytes = Array(text.utf8)[...]
    var pauses = 0
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { bytes in
        retryingInterrupts { systemWrite(descriptor, bytes.baseAddress, bytes.count) }
      }
      bytes = bytes.dropFirst(max(0, count))
      if count >= 0 { continue }
      guard errno == EAGAIN, pauses < 20 else { return false }
      if let signals, Descriptor.wait(signals, for: Int32(POLLIN), until: 0) { return false }
      pauses += 1
      _ = Descriptor.wait(descriptor, for: Int32(POLLOUT), until: MonotonicClock.now() + 50_000_000)
    }
    return true
  }
}

/// Calls read(2). The separate name is needed because `RawTerminal.read` hides the function.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(file, buffer, count)
}

/// Calls write(2). The separate name is needed because `RawTerminal.write` hides the function.
private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, buffer, count)
}

/// The number of loans that have not ended.
private let loans = Lock(0)

/// A reason why a process cannot have the terminal.
package enum TerminalLoanError: Error, Equatable, Sendable {
  /// There is no controlling terminal.
  case noTerminal
  /// Another process group is in the foreground of the terminal.
  case inBackground
}

extension Terminal {
  /// A Boolean that is true if a program can be in the foreground before its first instruction.
  ///
  /// Otherwise the system may stop it, or fail its reads if it ignores SIGTTIN, until it is brought to the foreground.
  static var startsInForeground: Bool {
    #if canImport(Glibc)
    linuxAddForeground != nil
    #else
    false
    #endif
  }

  /// The settings of a terminal (`termios`, POSIX).
  package struct Settings: Sendable {
    private var value = termios()

    init?(of descriptor: Int32) {
      guard tcgetattr(descriptor, &value) == 0 else { return nil }
    }

    /// The settings with which a program reads each key at once, and shows only what it draws (`cfmakeraw`).
    fileprivate var raw: Settings {
      var raw = self
      cfmakeraw(&raw.value)
      return raw
    }

    /// Applies the settings at once. Waiting until pending output is printed could take until a Control-Q.
    func apply(to descriptor: Int32) {
      var value = value
      Terminal.fromBackground { tcsetattr(descriptor, TCSANOW, &value) }
    }
  }

  /// Brings this process's group to the foreground and applies the settings, if the group in the foreground has ended.
  static func reclaim(with settings: Settings?) {
    _ = withControlling { descriptor in
      let group = tcgetpgrp(descriptor)
      // A group that still has processes, for example a shell, keeps the foreground.
      guard group > 1, group != getpgrp(), kill(-group, 0) != 0, errno == ESRCH else { return }
      setForeground(getpgrp(), of: descriptor)
      settings?.apply(to: descriptor)
    }
  }

  fileprivate static func setForeground(_ group: Int32, of descriptor: Int32) {
    fromBackground { tcsetpgrp(descriptor, group) }
  }

  /// Calls a function that the system allows to a background process only if SIGTTOU is blocked (`tcsetpgrp`, POSIX).
  private static func fromBackground(_ body: () -> Int32) {
    let mask = SignalMask.block(SIGTTOU)
    _ = retryingInterrupts(body)
    mask.restore()
  }

  /// Opens the controlling terminal for another process, and returns the descriptor.
  ///
  /// If a standard descriptor is the terminal, it is copied: some programs, for example tmux, refuse `/dev/tty`.
  fileprivate static func openForProcess() throws(TerminalLoanError) -> Int32 {
    for standard in 0...2 as ClosedRange<Int32>
    where tcgetpgrp(standard) >= 0 && fcntl(standard, F_GETFL) & O_ACCMODE == O_RDWR {
      let copy = fcntl(standard, F_DUPFD_CLOEXEC, 3)
      if copy >= 0 { return copy }
    }
    do throws(SystemError) {
      return try Descriptor.aboveStandard(try FileSystem.open("/dev/tty", O_RDWR | O_NOCTTY))
    } catch {
      throw .noTerminal
    }
  }
}
