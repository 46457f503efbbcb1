/// An observer of the events of one launch.
///
/// Calls come one at a time and in order, on the thread on which the event happened. An observer must return quickly,
/// and must not call back into the launch that it observes.
public protocol StartupObserver: Sendable {
  /// Receives an event of a launch. The outline is that of the launch.
  func observe(_ event: StartupEvent, in outline: LaunchOutline)
}
