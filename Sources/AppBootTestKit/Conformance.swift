public import AppBoot
public import AppBootLifecycle
import AppBootSystem

/// Checks of the rules that a protocol's documentation states, for your own stores, windows and event sources.
///
/// ```swift
/// @Test("The store behaves as a state store") func store() {
///   #expect(Conformance.violations(of: DefaultsStore()) == [])
/// }
/// ```
public enum Conformance {
  /// Returns the rules of ``StateStore`` that a store violates, each as a sentence. Pass an empty store.
  ///
  /// - Parameter isShared: True to check also that concurrent updates are atomic.
  public static func violations(of store: any StateStore, isShared: Bool = false) -> [String] {
    var rules = Rules()
    let bytes = [UInt8](0...255)
    rules.check("A name without bytes reads as nil") { try store.read("conformance-a") == nil }
    rules.check("An update of a name without bytes receives nil") {
      var received: [UInt8]? = []
      try store.update("conformance-a") { stored in
        received = stored
        return bytes
      }
      return received == nil
    }
    rules.check("Stored bytes are read again, whatever their values") {
      try store.read("conformance-a") == bytes
    }
    rules.check("A write replaces the bytes, even if it writes none") {
      try store.write("conformance-a", [])
      return try store.read("conformance-a") == []
    }
    rules.check("Bytes under one name do not change those under another") {
      try store.write("conformance-b", [1])
      try store.write("conformance-a", [2])
      return try store.read("conformance-b") == [1]
    }
    rules.check("An update whose function throws passes the error on and changes nothing") {
      do {
        try store.update("conformance-b") { _ in throw Refusal() }
        return false
      } catch is Refusal {
        return try store.read("conformance-b") == [1]
      }
    }
    rules.check("The place has a name for messages") { !store.place.isEmpty }
    if isShared { rules.check("Concurrent updates are atomic") { try loseNoUpdate(store) } }
    return rules.violations
  }

  private static func loseNoUpdate(_ store: any StateStore) throws -> Bool {
    let threads = try (0..<4).map { _ in
      try Thread.start(name: "updates") {
        for _ in 0..<50 { try? store.update("conformance-c") { ($0 ?? []) + [1] } }
      }
    }
    for thread in threads { thread.join() }
    return try store.read("conformance-c")?.count == 200
  }

  /// Returns the rules of ``AppWindow`` that a window violates, each as a sentence.
  ///
  /// The window shows several screens. Call it on a thread on which the window can show them.
  public static func violations(of window: any AppWindow) -> [String] {
    var rules = Rules()
    let reports = Lock(0)
    window.reportNavigation { _ in reports.withLock { $0 += 1 } }
    let items = (0..<4).map { number in
      let screen = AppScreen(name: "conformance", title: "\(number % 2)", text: "")
      return Navigation.Item(id: number, screen: screen)
    }
    let steps: [(rule: String, stacks: [[Navigation.Item]])] = [
      ("A window shows a first screen", [[items[0]]]),
      ("A window shows a pushed screen", [[items[0], items[1]]]),
      ("A window shows a screen that is equal to one below it", [[items[0], items[1], items[2]]]),
      ("A window shows a presented stack", [[items[0], items[1], items[2]], [items[3]]]),
      ("A window shows the same screens again", [[items[0], items[1], items[2]], [items[3]]]),
      ("A window dismisses a stack and pops screens at once", [[items[0]]]),
      ("A window shows a stack in place of all others", [[items[1], items[2]]]),
    ]
    for step in steps {
      rules.attempt(step.rule) { try window.show(Navigation(stacks: step.stacks)) }
    }
    rules.attempt("A window shows one screen in place of all others") { try window.show(items[0].screen) }
    rules.check("A window reports only changes by the user") { reports.withLock { $0 == 0 } }
    window.reportNavigation { _ in }
    return rules.violations
  }

  /// Returns the rules of ``LifecycleEventSource`` that a source violates, each as a sentence.
  ///
  /// It waits for an event without a timeout: give the test a time limit.
  ///
  /// - Parameter cause: A function that makes the source send an event, for example by sending a signal.
  public static func violations(
    of source: any LifecycleEventSource, isolation: isolated (any Actor)? = #isolation,
    causing cause: () throws -> Void
  ) async -> [String] {
    var rules = Rules()
    let (events, continuation) = AsyncStream.makeStream(of: LifecycleEvent.self)
    let released: WeakToken = {
      let token = Token()
      rules.attempt("A source starts") {
        try source.start { event in
          withExtendedLifetime(token) { _ = continuation.yield(event) }
        }
      }
      return WeakToken(token)
    }()
    guard rules.violations.isEmpty else { return rules.violations }
    rules.attempt("An event can be caused") { try cause() }
    if rules.violations.isEmpty { _ = await events.first { _ in true } }
    source.stop()
    rules.check("A stopped source releases its receiver") { released.isReleased }
    return rules.violations
  }

  private struct Refusal: Error {}

  private final class Token: Sendable {}

  private struct WeakToken {
    private weak var token: Token?
    init(_ token: Token) { self.token = token }
    var isReleased: Bool { token == nil }
  }

  /// The rules that were checked and violated.
  private struct Rules {
    var violations: [String] = []

    /// Adds the rule to the violations if the function throws an error.
    mutating func attempt(_ rule: String, _ succeeds: () throws -> Void) {
      check(rule) {
        try succeeds()
        return true
      }
    }

    /// Adds the rule to the violations if the check returns `false` or throws an error.
    mutating func check(_ rule: String, _ holds: () throws -> Bool) {
      do {
        if try !holds() { violations.append(rule) }
      } catch {
        violations.append("\(rule): \(Failure(describing: error))")
      }
    }
  }
}
