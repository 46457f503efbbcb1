/// A hook into the service of a launch, which runs its timers and its poller: for signals and a live display.
///
/// The service makes one call at a time. A call must not block.
package protocol LaunchWatcher: Sendable {
  /// The descriptor that becomes readable when ``attend()`` has work to do.
  var descriptor: Int32 { get }
  /// Nanoseconds between two calls of ``tick()``; `nil` to make no calls.
  var interval: Int64? { get }
  /// Handles the readable descriptor.
  func attend()
  /// Does the periodic work.
  func tick()
}
