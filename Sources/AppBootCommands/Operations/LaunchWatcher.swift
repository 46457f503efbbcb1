/// A watcher that the service of a launch calls. It handles signals and updates a live display.
///
/// The service runs the timers and the poller of a launch. It makes one call at a time. A call must not block.
package protocol LaunchWatcher: Sendable {
  /// The descriptor that is readable when ``attend()`` must be called.
  var descriptor: Int32 { get }
  /// The nanoseconds between two calls of ``tick()``; `nil` for no calls.
  var interval: Int64? { get }
  /// Handles the input of the readable descriptor.
  func attend()
  /// Does the work that is needed at intervals.
  func tick()
}
