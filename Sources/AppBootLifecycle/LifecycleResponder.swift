public import AppBoot
import AppBootSystem

/// A part of the app that answers events. Implement only the methods for the events that it answers.
///
/// The default methods agree to the launch, decline URLs, activities and quick actions, fetch no data and present no
/// notification. If a method throws, the error is reported and counts as a failed answer. The other parts are still
/// asked. Call each completion handler exactly once, from any thread.
///
/// Events without an answer arrive in ``LifecyclePart/receive(_:)``. If the part is also a ``LifecycleListener``, it
/// receives them as a listener instead. A responder of the main actor is a ``MainActorResponder``.
public protocol LifecycleResponder: LifecyclePart {
  /// Returns whether the launch may continue, before the app restores its state. The merged answer is `true` if all
  /// parts agree.
  func willFinishLaunching(_ options: LaunchOptions) throws -> Bool
  /// Returns whether the launch may continue. The merged answer is `true` if all parts agree.
  func didFinishLaunching(_ options: LaunchOptions) throws -> Bool
  /// Returns whether the part handled the URL. The default calls ``openURL(_:scene:)``.
  func openURL(_ url: String, options: OpenURLOptions, scene: SceneID?) throws -> Bool
  /// Returns whether the part handled the URL. The merged answer is `true` if any part did.
  func openURL(_ url: String, scene: SceneID?) throws -> Bool
  /// Returns whether the part handled the activity. The merged answer is `true` if any part did.
  func continueActivity(_ activity: UserActivity, scene: SceneID?) throws -> Bool
  /// Performs a quick action. The default calls ``performQuickAction(_:scene:completion:)``. `userInfo` is a JSON
  /// object.
  func performQuickAction(
    _ type: String, userInfo: String?, scene: SceneID?, completion: @escaping @Sendable (Bool) -> Void) throws
  /// Performs a quick action and reports whether the part handled it. The merged answer is `true` if any part did.
  func performQuickAction(
    _ type: String, scene: SceneID?, completion: @escaping @Sendable (Bool) -> Void) throws
  /// Fetches the data that a notification announces. Answers are merged as `newData > failed > noData`.
  func didReceiveRemoteNotification(
    payload: String, completion: @escaping @Sendable (FetchResult) -> Void) throws
  /// Chooses the presentation of a notification in the foreground. The merged answer is the union of all options.
  func willPresentNotification(
    payload: String, completion: @escaping @Sendable (PresentationOptions) -> Void) throws
  /// Handles the user's response to a notification.
  func didReceiveNotificationResponse(
    _ response: NotificationResponse, scene: SceneID?, completion: @escaping @Sendable () -> Void) throws
  /// Handles the events of a background URL session. The system may suspend the app after all parts have completed.
  func handleEventsForBackgroundURLSession(
    _ identifier: String, completion: @escaping @Sendable () -> Void) throws
  /// Performs a background task and reports its success. The merged answer is `true` if all parts succeeded.
  func performBackgroundTask(
    _ identifier: String, completion: @escaping @Sendable (Bool) -> Void) throws
  /// Returns the orientations that the part supports. The interface can have those that all parts support.
  ///
  /// The system asks often. Answer at once.
  func supportedInterfaceOrientations(scene: SceneID?) -> InterfaceOrientations
  /// Answers an event. The default calls the method for the event.
  ///
  /// A part that implements this method must answer or fail `reply` exactly once.
  func respond(to event: LifecycleEvent, _ reply: LifecycleReply)
}

extension LifecycleResponder {
  /// Returns `true`.
  public func willFinishLaunching(_ options: LaunchOptions) throws -> Bool { true }
  /// Returns `true`.
  public func didFinishLaunching(_ options: LaunchOptions) throws -> Bool { true }
  /// Calls the method without options.
  public func openURL(_ url: String, options: OpenURLOptions, scene: SceneID?) throws -> Bool {
    try openURL(url, scene: scene)
  }
  /// Returns `false`.
  public func openURL(_ url: String, scene: SceneID?) throws -> Bool { false }
  /// Returns `false`.
  public func continueActivity(_ activity: UserActivity, scene: SceneID?) throws -> Bool { false }
  /// Calls the method without user info.
  public func performQuickAction(
    _ type: String, userInfo: String?, scene: SceneID?, completion: @escaping @Sendable (Bool) -> Void
  ) throws { try performQuickAction(type, scene: scene, completion: completion) }
  /// Calls `completion` with `false`.
  public func performQuickAction(
    _ type: String, scene: SceneID?, completion: @escaping @Sendable (Bool) -> Void
  ) throws { completion(false) }
  /// Calls `completion` with `noData`.
  public func didReceiveRemoteNotification(
    payload: String, completion: @escaping @Sendable (FetchResult) -> Void
  ) throws { completion(.noData) }
  /// Calls `completion` with no options.
  public func willPresentNotification(
    payload: String, completion: @escaping @Sendable (PresentationOptions) -> Void
  ) throws { completion([]) }
  /// Calls `completion`.
  public func didReceiveNotificationResponse(
    _ response: NotificationResponse, scene: SceneID?, completion: @escaping @Sendable () -> Void
  ) throws { completion() }
  /// Calls `completion`.
  public func handleEventsForBackgroundURLSession(
    _ identifier: String, completion: @escaping @Sendable () -> Void
  ) throws { completion() }
  /// Calls `completion` with `true`.
  public func performBackgroundTask(
    _ identifier: String, completion: @escaping @Sendable (Bool) -> Void
  ) throws { completion(true) }
  /// Returns all orientations.
  public func supportedInterfaceOrientations(scene: SceneID?) -> InterfaceOrientations { .all }
  /// Calls the method for an event that needs no answer.
  public func receive(_ event: LifecycleEvent) throws {
    switch event {
    case .didRegisterForRemoteNotifications(let token): try didRegisterForRemoteNotifications(token: token)
    case .didFailToRegisterForRemoteNotifications(let error):
      try didFailToRegisterForRemoteNotifications(error: error)
    default: break
    }
  }

  /// Calls the method for the event, and passes its result or its error to `reply`.
  public func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    do {
      try call(event, reply)
    } catch {
      reply.fail(error)
    }
  }

  private func call(_ event: LifecycleEvent, _ reply: LifecycleReply) throws {
    switch event {
    case .willFinishLaunching(let options): reply.answer(.bool(try willFinishLaunching(options)))
    case .didFinishLaunching(let options): reply.answer(.bool(try didFinishLaunching(options)))
    case .openURL(let url, let options, let scene):
      reply.answer(.bool(try openURL(url, options: options, scene: scene)))
    case .continueActivity(let activity, let scene):
      reply.answer(.bool(try continueActivity(activity, scene: scene)))
    case .performQuickAction(let type, let userInfo, let scene):
      try performQuickAction(type, userInfo: userInfo, scene: scene) { reply.answer(.bool($0)) }
    case .didReceiveRemoteNotification(let payload):
      try didReceiveRemoteNotification(payload: payload) { reply.answer(.fetch($0)) }
    case .willPresentNotification(let payload):
      try willPresentNotification(payload: payload) { reply.answer(.presentation($0)) }
    case .didReceiveNotificationResponse(let response, let scene):
      try didReceiveNotificationResponse(response, scene: scene) { reply.answer(.acknowledged) }
    case .handleEventsForBackgroundURLSession(let identifier):
      try handleEventsForBackgroundURLSession(identifier) { reply.answer(.acknowledged) }
    case .performBackgroundTask(let identifier):
      try performBackgroundTask(identifier) { reply.answer(.bool($0)) }
    default:
      if !(self is any LifecycleListener) { try receive(event) }
      reply.answer(.acknowledged)
    }
  }
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
  package func ask(
    _ event: LifecycleEvent, timeout: Duration = Self.defaultTimeout, timer: any LifecycleTimer,
    report: @escaping @Sendable (LifecycleResponse.Problem) -> Void = { _ in },
    completion: @escaping @Sendable (LifecycleResponse) -> Void
  ) {
    ask(event, timeout: (timeout.nanoseconds, timer), report: report, completion: completion)
  }

  /// Asks the responder. Pass `nil` as the timeout if all of its parts answer immediately.
  func ask(
    _ event: LifecycleEvent, timeout: (nanoseconds: Int64, timer: any LifecycleTimer)?,
    report: @escaping @Sendable (LifecycleResponse.Problem) -> Void,
    completion: @escaping @Sendable (LifecycleResponse) -> Void
  ) {
    let collector = AnswerCollector(event: event, report: report, completion: completion)
    let reply = collector.open(path: name)
    guard let timeout else { return respond(to: event, reply) }
    var isEarly = timeout.nanoseconds > 0
    if case .didFinishLaunching = event { isEarly = false }
    if isEarly { collector.startTimeout(timeout.nanoseconds, timeout.timer, isBeforeAsking: true) }
    respond(to: event, reply)
    collector.endAsking()
    if !isEarly { collector.startTimeout(timeout.nanoseconds, timeout.timer, isBeforeAsking: false) }
  }

  /// Asks the responder on a new thread, and returns the merged answer.
  ///
  /// At the timeout it returns the merged answer of the parts that have answered.
  public func ask(_ event: LifecycleEvent, timeout: Duration = Self.defaultTimeout) async -> LifecycleResponse
  {
    await withCheckedContinuation { continuation in
      Thread.detach(name: "ask") { ask(event, timeout: timeout) { continuation.resume(returning: $0) } }
    }
  }
}
