import AppBoot
package import AppBootSystem

/// A part of the app that answers events.
///
/// ```swift
/// struct Links: LifecycleResponder {
///   func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
///     guard case .openURL(let request) = event else { return reply.decline() }
///     reply.answer(.bool(open(request.url)))
///   }
/// }
/// ```
///
/// These are the kinds of answers. Each other event needs only ``LifecycleAnswer/acknowledged``.
///
/// | event | answer | merged answer |
/// |---|---|---|
/// | `willFinishLaunching`, `didFinishLaunching`, `performBackgroundTask` | `bool` | `true` if all parts agree |
/// | `openURL`, `continueActivity`, `performQuickAction` | `bool` | `true` if any part agrees |
/// | `didReceiveRemoteNotification` | `fetch` | the first of `newData`, `failed`, `noData` |
/// | `willPresentNotification` | `presentation` | the union of all options |
///
/// An ``EventResponder`` answers one event with a closure. A responder of the main actor is a ``MainActorResponder``.
public protocol LifecycleResponder: LifecyclePart {
  /// Answers, fails or declines the event: exactly once, at once or later, from any thread.
  ///
  /// - Throws: Any error. It is reported, and counts as a failed answer. The other parts are still asked.
  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) throws
  /// Returns the orientations that the part supports. The interface can have those that all parts support.
  ///
  /// The system asks often. Answer at once.
  func supportedInterfaceOrientations(scene: SceneID?) -> InterfaceOrientations
}

extension LifecycleResponder {
  /// Returns all orientations.
  public func supportedInterfaceOrientations(scene: SceneID?) -> InterfaceOrientations { .all }
}

extension LifecycleResponder {
  /// The default timeout for answers: 25 s of the 30 s that iOS allows for a fetch.
  public static var defaultTimeout: Duration { .seconds(25) }

  /// Asks the responder. Calls `completion` once: after the last answer, or at the timeout with the answers so far.
  ///
  /// If every part answers immediately, `completion` is called on the same thread before this method returns. A part
  /// that blocks its thread delays the parts after it, but not the timeout: the timer then calls `completion`.
  ///
  /// For the launch, the timeout starts when the last part has been asked. A launch whose parts answer immediately
  /// therefore needs no timer thread.
  ///
  /// - Parameters:
  ///   - timeout: The timeout from the first question. If it is 0, only those answers
  ///     count that have arrived when the last part has been asked.
  ///   - report: A function that receives problems that occur after completion: second and late answers.
  public func ask(
    _ event: LifecycleEvent, timeout: Duration = Self.defaultTimeout,
    report: @escaping @Sendable (LifecycleResponse.Problem) -> Void = { _ in },
    completion: @escaping @Sendable (LifecycleResponse) -> Void
  ) {
    ask(event, timeout: timeout, timer: ThreadTimer.shared, report: report, completion: completion)
  }

  /// Asks the responder as ``ask(_:timeout:report:completion:)`` does. The given timer measures the timeout.
  ///
  /// - Parameter timeout: The timeout; `nil` if all parts of the responder answer immediately.
  package func ask(
    _ event: LifecycleEvent, timeout: Duration? = Self.defaultTimeout, timer: any CallTimer,
    report: @escaping @Sendable (LifecycleResponse.Problem) -> Void = { _ in },
    completion: @escaping @Sendable (LifecycleResponse) -> Void
  ) {
    let collector = AnswerCollector(event: event, report: report, completion: completion)
    let reply = collector.open(path: name)
    guard let timeout = timeout?.nanoseconds else { return reply.ask(self, event) }
    let isEarly = timeout > 0 && event.name != EventName.didFinishLaunching.name
    if isEarly { collector.startTimeout(timeout, timer, isBeforeAsking: true) }
    reply.ask(self, event)
    collector.endAsking()
    if !isEarly { collector.startTimeout(timeout, timer, isBeforeAsking: false) }
  }

  /// Asks the responder on a new thread, and returns the merged answer.
  ///
  /// At the timeout it returns the merged answer of the parts that have answered.
  public func ask(_ event: LifecycleEvent, timeout: Duration = Self.defaultTimeout) async -> LifecycleResponse
  {
    await withCheckedContinuation { continuation in
      Thread.detach(name: "appboot-ask") {
        ask(event, timeout: timeout) { continuation.resume(returning: $0) }
      }
    }
  }
}

/// The orientations in which a scene can show its interface.
public struct InterfaceOrientations: OptionSet, Sendable, Hashable {
  /// The bits of the orientations.
  public let rawValue: UInt8

  /// Creates orientations from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Upright.
  public static let portrait = InterfaceOrientations(rawValue: 1)
  /// Upside down.
  public static let portraitUpsideDown = InterfaceOrientations(rawValue: 2)
  /// The device is turned to the right.
  public static let landscapeLeft = InterfaceOrientations(rawValue: 4)
  /// The device is turned to the left.
  public static let landscapeRight = InterfaceOrientations(rawValue: 8)
  /// Both landscape orientations.
  public static let landscape: InterfaceOrientations = [.landscapeLeft, .landscapeRight]
  /// All orientations except upside down.
  public static let allButUpsideDown: InterfaceOrientations = [.portrait, .landscape]
  /// All orientations.
  public static let all: InterfaceOrientations = [.portrait, .portraitUpsideDown, .landscape]
}

extension LifecycleHost {
  /// Returns the orientations that every responder supports; `nil` if they have none in common.
  ///
  /// The host asks the responders at once, also while it handles an event.
  ///
  /// - Parameter scene: The scene whose window would rotate; `nil` for the window of the process.
  public func supportedInterfaceOrientations(scene: SceneID? = nil) -> InterfaceOrientations? {
    let common = CompositeResponder(parts: configuration.responders).supportedInterfaceOrientations(
      scene: scene)
    return common.isEmpty ? nil : common
  }
}
