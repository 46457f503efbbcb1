/// A search for the bracket of `##[`, `##vso[` or `##teamcity[`, with which a command of a CI system begins.
///
/// Runners find them anywhere in a line (GitHub, "Workflow commands"; Microsoft, "Logging commands"; JetBrains,
/// "Service messages").
package struct LoggingCommand: Sendable {
  private var hashes = 0

  package init() {}

  /// Returns true if the next character is the bracket of a command.
  package mutating func isBracket(_ character: UInt32) -> Bool {
    if character == 0x5B {
      defer { hashes = 0 }
      return hashes >= 2
    }
    // A letter in upper or lower case.
    let isLetter = (0x61...0x7A).contains(character | 0x20)
    if character == 0x23 { hashes += 1 } else if hashes < 2 || !isLetter { hashes = 0 }
    return false
  }
}
