import AppBoot
import AppBootLifecycle
import AppBootRecords
import AppBootSystem
import AppBootTestKit
import Testing

/// A store that mixes up its names.
private final class OneValue: StateStore {
  private let bytes = Lock<[UInt8]?>(nil)
  var place: String { "" }
  func read(_ name: String) throws -> [UInt8]? { bytes.withLock { $0 } }
  func write(_ name: String, _ new: [UInt8]) throws { bytes.withLock { $0 = new } }
}

/// A window that reports each navigation that it shows, and cannot show a presented stack.
private final class Chatty: AppWindow {
  struct NoRoom: Error, CustomStringConvertible { let description = "no room" }
  private let report = Lock<@Sendable (Navigation) -> Void>({ _ in })

  func apply(_ appearance: WindowAppearance) {}
  func reportNavigation(to report: @escaping @Sendable (Navigation) -> Void) {
    self.report.withLock { $0 = report }
  }
  func show(_ navigation: Navigation) throws {
    if navigation.stacks.count > 1 { throw NoRoom() }
    report.withLock { $0 }(navigation)
  }
}

/// A source that keeps its receiver after it was stopped.
private final class Keeping: LifecycleEventSource {
  let receiver = Lock<(@Sendable (LifecycleEvent) -> Void)?>(nil)
  func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) { receiver.withLock { $0 = receive } }
  func stop() {}
}

@Suite("A conformance suite")
struct ConformanceTests {
  @Test("The stores of AppBoot behave as state stores")
  func stores() throws {
    let path = try FileSystem.makeTemporaryDirectory()
    defer { try? FileSystem.removeTree(path) }
    #expect(Conformance.violations(of: DirectoryStateStore(path: path), isShared: true) == [])
    #expect(Conformance.violations(of: MemoryStateStore()) == [])
  }

  @Test("A store that mixes up its names violates a rule, and so does a place without a name")
  func wrongStore() {
    #expect(
      Conformance.violations(of: OneValue()) == [
        "Bytes under one name do not change those under another",
        "An update whose function throws passes the error on and changes nothing",
        "The place has a name for messages",
      ])
  }

  @Test("The recording window and a coordinator behave as windows")
  func windows() {
    #expect(Conformance.violations(of: RecordingWindow()) == [])
    #expect(Conformance.violations(of: ScreenCoordinator(window: RecordingWindow())) == [])
  }

  @Test("A window that reports the navigation it shows, or cannot show a stack, violates a rule")
  func wrongWindow() {
    #expect(
      Conformance.violations(of: Chatty()) == [
        "A window shows a presented stack: no room", "A window shows the same screens again: no room",
        "A window reports only changes by the user",
      ])
  }

  @Test("The manual source behaves as an event source", .timeLimit(.minutes(10)))
  func sources() async {
    let source = ManualEventSource()
    #expect(await Conformance.violations(of: source) { source.send(.didReceiveReload) } == [])
  }

  @Test("A source that keeps its receiver violates a rule", .timeLimit(.minutes(10)))
  func wrongSource() async {
    let source = Keeping()
    let violations = await Conformance.violations(of: source) {
      source.receiver.withLock { $0 }?(.didReceiveReload)
    }
    #expect(violations == ["A stopped source releases its receiver"])
  }
}
