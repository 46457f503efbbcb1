import AppBootSystem

/// The choice of colours by the option `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never

  /// Returns whether text is coloured.
  ///
  /// `auto` means no colours with `NO_COLOR` (no-color.org), otherwise colours with `FORCE_COLOR` (force-color.org),
  /// and otherwise colours on a terminal whose `TERM` is not `dumb`.
  func usesColor(isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if ProcessEnvironment.value(of: "NO_COLOR")?.isEmpty == false { return false }
      if let force = ProcessEnvironment.value(of: "FORCE_COLOR"), !["", "0", "false"].contains(force) {
        return true
      }
      return isTerminal && Terminal.type != "dumb"
    }
  }
}
