/// The methods that listeners and responders have in common, so that one class can be both.
///
/// Write the methods of a part in the extension that adds the conformance. The compiler then warns of a method whose
/// name nearly matches an event's method. It does not check methods in the type itself, and AppBoot cannot
/// find the mistake at run time: Swift does not show which default methods a type implements.
///
/// ```swift
/// final class Badge {}
/// extension Badge: LifecycleListener {
///   func didBecameActive() {}  // warning: nearly matches defaulted requirement 'didBecomeActive()'
/// }
/// ```
///
/// For a closure the compiler always checks the event: ``LifecycleMediator/on(_:_:fileID:line:perform:)``.
public protocol LifecyclePart: Sendable {
  /// The name of the part in reports; by default the name of its type.
  var name: String { get }

  /// Receives an event. The default calls the method for the event.
  ///
  /// If a part implements this method, the methods for events that need no answer are not called.
  func receive(_ event: LifecycleEvent) throws

  /// The device is registered for remote notifications.
  func didRegisterForRemoteNotifications(token: [UInt8]) throws

  /// The registration for remote notifications failed.
  func didFailToRegisterForRemoteNotifications(error: String) throws
}

extension LifecyclePart {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }

  /// Does nothing.
  public func didRegisterForRemoteNotifications(token: [UInt8]) throws {}

  /// Does nothing.
  public func didFailToRegisterForRemoteNotifications(error: String) throws {}
}

extension LifecycleListener where Self: LifecycleResponder {
  /// Calls the listener's method for the event. A mediator calls it.
  ///
  /// A composite asks the part only for answers. The part receives the other events as a listener.
  public func receive(_ event: LifecycleEvent) throws { try callListenerMethod(for: event) }
}
