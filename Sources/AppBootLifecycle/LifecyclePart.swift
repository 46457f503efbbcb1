/// The property that listeners and responders have in common, so that one class can be both.
public protocol LifecyclePart: Sendable {
  /// The name of the part in reports; by default the name of its type.
  var name: String { get }
}

extension LifecyclePart {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }
}

/// A listener that receives all lifecycle events.
///
/// ```swift
/// final class Sound: LifecycleListener {
///   func receive(_ event: LifecycleEvent) {
///     switch event {
///     case .didBecomeActive: resume()
///     case .didEnterBackground: pause()
///     default: break
///     }
///   }
/// }
/// ```
///
/// For one or two events a closure is shorter (``LifecycleMediator/on(_:_:replaysLaunch:fileID:line:perform:)``). A
/// listener of the main actor is a ``MainActorListener``. A class can also be a ``LifecycleResponder``
/// (``LifecycleHost/Configuration/add(_:)``).
public protocol LifecycleListener: AnyObject, LifecyclePart {
  /// Receives an event on the thread that sends it.
  ///
  /// - Throws: Any error. It is reported, and the other listeners still receive the event.
  func receive(_ event: LifecycleEvent) throws
}
