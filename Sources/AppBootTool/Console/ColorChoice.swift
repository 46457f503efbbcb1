import AppBootSystem

/// The value of `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never

  /// Returns true if text is coloured: for `auto` only on a terminal, and not with `NO_COLOR` (no-color.org) or
  /// `TERM=dumb`.
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
