import AppBootBase

/// A namespace for the id of a launch: its start time and its process, as in the file name of its record.
package enum LaunchID {
  /// Returns the id of a launch of this process. The start time is empty before the launch begins.
  package static func of(startedAt: String) -> String {
    "\(startedAt.isEmpty ? "0" : compact(startedAt))-\(Host.processIdentifier)"
  }

  /// Returns a start time without the marks between its numbers, as the first part of an id.
  package static func compact(_ startedAt: String) -> String { startedAt.filter { $0 != "-" && $0 != ":" } }
}
