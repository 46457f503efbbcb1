/// An observer of the events of one launch.
///
/// Calls come one at a time and in order, on the thread on which the event happened. An observer must
/// return soon and must not call back into the launch that it observes.
public protocol StartupObserver: Sendable {
  /// Receives an event of the launch with this outline.
  func observe(_ event: StartupEvent, in outline: LaunchOutline)
}
