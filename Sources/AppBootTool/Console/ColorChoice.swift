import AppBootSystem

/// The value of `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never

  /// Returns true for colours: `--color` decides, then `NO_COLOR` (no-color.org), `TERM=dumb`, then the terminal.
  func usesColor(isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      guard isTerminal else { return false }
      if ProcessEnvironment.value(of: "NO_COLOR")?.isEmpty == false { return false }
      return Terminal.type != "dumb"
    }
  }
}
