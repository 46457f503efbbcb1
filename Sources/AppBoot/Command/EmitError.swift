/// An error that reports that nothing handles an event which a command emitted after its launch had ended.
public enum EmitError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The launch ran without a `LifecycleHost`.
  case noHost(event: String)
  /// The `LifecycleHost` of the launch has ended.
  case hostEnded(event: String)

  /// The error message: the event, and the reason why it was not handled.
  public var description: String {
    switch self {
    case .noHost(let event):
      "\"\(event)\" was not emitted: the launch has ended and has no host; emit it before the command returns, or run "
        + "the plan in a LifecycleHost"
    case .hostEnded(let event): "\"\(event)\" was not emitted: the LifecycleHost of the launch has ended"
    }
  }
}
