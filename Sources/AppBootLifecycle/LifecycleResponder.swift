public import AppBoot
import AppBootSystem

/// A part of the app that answers events that are questions; it implements only what it has an answer to.
///
/// By default a part agrees to the launch, takes no URL, activity or quick action, has fetched nothing and shows
/// nothing. A part that throws counts as a failure and is reported; the others are asked all the same.
/// Completion handlers are to be called exactly once, from any thread.
public protocol LifecycleResponder: Sendable {
  /// The part's name in reports; by default its type's.
  var name: String { get }

  /// Whether the launch may go on; `true` where all parts say so.
  func didFinishLaunching(_ options: LaunchOptions) throws -> Bool
  /// Whether the part took the URL; `true` where one part did.
  func openURL(_ url: String, scene: SceneID?) throws -> Bool
  /// Whether the part took the activity; `true` where one part did.
  func continueActivity(_ activity: UserActivity, scene: SceneID?) throws -> Bool
  /// Performs a quick action, and says whether it was the part's; `true` where it was one part's.
  func performQuickAction(
    _ type: String, scene: SceneID?, completion: @escaping @Sendable (Bool) -> Void) throws
  /// Fetches what a notification announces; the answers merge `newData > failed > noData`.
  func didReceiveRemoteNotification(
    payload: String, completion: @escaping @Sendable (FetchResult) -> Void) throws
  /// Says how a notification is shown in the foreground; all options of all parts count.
  func willPresentNotification(
    payload: String, completion: @escaping @Sendable (PresentationOptions) -> Void) throws
  /// Acts on what the user did with a notification.
  func didReceiveNotificationResponse(
    _ response: NotificationResponse, scene: SceneID?, completion: @escaping @Sendable () -> Void) throws
  /// Hears of every other event.
  func hear(_ event: LifecycleEvent) throws

  /// Answers an event; by default by the method for it.
  ///
  /// For parts made of others: every reply is to be answered, failed or divided exactly once.
  func respond(to event: LifecycleEvent, _ reply: LifecycleReply)
}

extension LifecycleResponder {
  /// The type's name.
  public var name: String { String(describing: Self.self) }

  /// Agrees.
  public func didFinishLaunching(_ options: LaunchOptions) throws -> Bool { true }
  /// Does not take it.
  public func openURL(_ url: String, scene: SceneID?) throws -> Bool { false }
  /// Does not take it.
  public func continueActivity(_ activity: UserActivity, scene: SceneID?) throws -> Bool { false }
  /// Says that it is not the part's.
  public func performQuickAction(
    _ type: String, scene: SceneID?, completion: @escaping @Sendable (Bool) -> Void
  ) throws { completion(false) }
  /// Says that there is nothing new.
  public func didReceiveRemoteNotification(
    payload: String, completion: @escaping @Sendable (FetchResult) -> Void
  ) throws { completion(.noData) }
  /// Asks for nothing.
  public func willPresentNotification(
    payload: String, completion: @escaping @Sendable (PresentationOptions) -> Void
  ) throws { completion([]) }
  /// Does nothing.
  public func didReceiveNotificationResponse(
    _ response: NotificationResponse, scene: SceneID?, completion: @escaping @Sendable () -> Void
  ) throws { completion() }
  /// Does nothing.
  public func hear(_ event: LifecycleEvent) throws {}

  /// Calls the method for the event.
  public func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    do {
      try call(event, reply)
    } catch {
      reply.fail(error)
    }
  }

  private func call(_ event: LifecycleEvent, _ reply: LifecycleReply) throws {
    switch event {
    case .didFinishLaunching(let options): reply.answer(.bool(try didFinishLaunching(options)))
    case .openURL(let url, let scene): reply.answer(.bool(try openURL(url, scene: scene)))
    case .continueActivity(let activity, let scene):
      reply.answer(.bool(try continueActivity(activity, scene: scene)))
    case .performQuickAction(let type, let scene):
      try performQuickAction(type, scene: scene) { reply.answer(.bool($0)) }
    case .didReceiveRemoteNotification(let payload):
      try didReceiveRemoteNotification(payload: payload) { reply.answer(.fetch($0)) }
    case .willPresentNotification(let payload):
      try willPresentNotification(payload: payload) { reply.answer(.presentation($0)) }
    case .didReceiveNotificationResponse(let response, let scene):
      try didReceiveNotificationResponse(response, scene: scene) { reply.answer(.acknowledged) }
    case .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground, .willTerminate,
      .didReceiveReload, .didShowFirstScreen, .didRegisterForRemoteNotifications,
      .didFailToRegisterForRemoteNotifications, .significantTimeChange, .didReceiveMemoryWarning,
      .sceneWillConnect, .sceneDidDisconnect, .sceneWillEnterForeground, .sceneDidBecomeActive,
      .sceneWillResignActive, .sceneDidEnterBackground, .custom:
      try hear(event)
      reply.answer(.acknowledged)
    }
  }
}

extension LifecycleResponder {
  /// How long parts may take to answer where nothing else is said: 25 s, of the 30 s that iOS gives a fetch.
  public static var defaultLimit: Int64 { 25_000_000_000 }

  /// Asks the part, and calls back exactly once: after the last answer, or at the limit with what there is.
  ///
  /// Where every part answers at once, `completion` is called before this returns, on the same thread. A part that holds
  /// up its caller holds up those after it, but not the limit: `completion` is then called by the timer.
  ///
  /// The launch is the exception: its limit counts from when the last part was asked, since no thread is started for a launch
  /// whose parts answer at once.
  ///
  /// - Parameters:
  ///   - limit: Nanoseconds, from when the first part is asked; 0 for what there is once the last one was asked.
  ///   - report: Hears of what comes too late to stand in the response: second and late answers.
  public func ask(
    _ event: LifecycleEvent, limit: Int64 = Self.defaultLimit, timer: any LifecycleTimer = ThreadTimer.shared,
    report: @escaping @Sendable (ResponderProblem) -> Void = { _ in },
    completion: @escaping @Sendable (LifecycleResponse) -> Void
  ) {
    ask(event, limit: (limit, timer), report: report, completion: completion)
  }

  /// Asks the part; without a limit where it is known to answer at once.
  func ask(
    _ event: LifecycleEvent, limit: (nanoseconds: Int64, timer: any LifecycleTimer)?,
    report: @escaping @Sendable (ResponderProblem) -> Void,
    completion: @escaping @Sendable (LifecycleResponse) -> Void
  ) {
    let collector = AnswerCollector(event: event, report: report, completion: completion)
    let reply = collector.open(path: name)
    guard let limit else { return respond(to: event, reply) }
    var isEarly = limit.nanoseconds > 0
    if case .didFinishLaunching = event { isEarly = false }
    if isEarly { collector.startLimit(limit.nanoseconds, limit.timer, isBeforeAsking: true) }
    respond(to: event, reply)
    collector.endAsking()
    if !isEarly { collector.startLimit(limit.nanoseconds, limit.timer, isBeforeAsking: false) }
  }

  /// Asks the part on a thread of its own, and returns after the last answer, or at the limit with what there is.
  public func ask(
    _ event: LifecycleEvent, limit: Int64 = Self.defaultLimit, timer: any LifecycleTimer = ThreadTimer.shared
  ) async -> LifecycleResponse {
    await withCheckedContinuation { continuation in
      Thread.detach(name: "ask") {
        ask(event, limit: limit, timer: timer) { continuation.resume(returning: $0) }
      }
    }
  }
}
