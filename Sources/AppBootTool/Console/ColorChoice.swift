import AppBootSystem

/// The choice of colours by the option `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never

  /// Returns whether text is coloured.
  ///
  /// `auto` means colours on a terminal, unless `NO_COLOR` (no-color.org) or `TERM=dumb` is set.
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
