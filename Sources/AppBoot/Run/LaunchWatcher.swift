/// What the service of a launch looks after beside its limits and processes: signals, a live display.
///
/// It is called by whoever is the service, one call at a time, and must not block.
package protocol LaunchWatcher: Sendable {
  /// The descriptor that becomes readable when there is something to attend to.
  var descriptor: Int32 { get }
  /// Nanoseconds between two calls of ``tick()``; `nil` for none.
  var interval: Int64? { get }
  /// Attends to what made the descriptor readable.
  func attend()
  /// Does what is due every ``interval``.
  func tick()
}
