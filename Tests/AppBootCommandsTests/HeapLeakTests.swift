#if canImport(Glibc)
import AppBoot
import AppBootRecords
import AppBootCommands
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import Glibc
import AppBootTestSupport
import Testing

/// Without caches for each thread, the bytes in use are what the program holds.
private let tunables = ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1"]

/// Tests that count the bytes in use, because the leak detector of the sanitizers misses pointers inside enums: enums
/// keep their case in unused bits of the pointer.
@Suite("Memory", .ownProcess(environment: tunables))
struct HeapLeakTests {
  struct Leak: Error { let bytes: Int }
  struct NoFigures: Error {}

  /// The number of rounds between two looks at the heap.
  private static let rounds = 100
  /// The growth of a leak of 128 bytes in each round. Threads that are ending and the allocator's caches grow by less,
  /// after some looks.
  private static let tolerance = 128 * rounds

  @Test("Manifests, plans, launches, events and records do not leak memory")
  func apps() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let bytes = try Self.growth { try Self.boot(in: directory.path) }
      guard bytes < Self.tolerance else { throw Leak(bytes: bytes) }
    }
  }

  @Test("Invalid manifests do not leak memory")
  func mistakes() async {
    await #expect(processExitsWith: .success) {
      let bytes = try Self.growth {
        let mistakes = [
          #"[{ "command": "RunProcess", "with": { "arguments": [1, "a"], "environment": { "": 1 }, "no": [{}] } }]"#,
          #"[{ "command": "InitialScreen", "with": { "default": "A", "screens": { "B": { "x": 1 } } } }, "No"]"#,
          #"["Appearance", { "id": "a", "after": ["a"] }, ]"#,
        ]
        for text in mistakes { try? print(TestLaunch(text).problems().count, terminator: "") }
      }
      guard bytes < Self.tolerance else { throw Leak(bytes: bytes) }
    }
  }

  @Test("A reference cycle in each round is found as a leak")
  func planted() async {
    await #expect(processExitsWith: .success) {
      let bytes = try Self.growth { Cycle.make() }
      guard bytes > Self.tolerance else { throw Leak(bytes: bytes) }
    }
  }

  /// Runs an app from its manifest to its record, with events and a scene.
  private static func boot(in directory: String) throws {
    var launch = TestLaunch(
      #"""
      [
        { "command": "Appearance", "with": { "theme": "dark", "accent": "#336699" } },
        { "command": "RunProcess", "id": "one", "after": [],
          "with": { "arguments": ["sh", "-c", "echo $NAME"], "environment": { "NAME": "{env.HOME}" } } },
        { "command": "RunProcess", "id": "two", "after": ["one"], "onFailure": "continue",
          "with": { "arguments": ["false"], "expect": [0, 2] }, "retry": { "attempts": 2, "backoff": "1ms" } },
        { "command": "WaitFor", "id": "wait", "after": [], "with": { "file": "." } },
        { "command": "InitialScreen", "after": ["wait"],
          "with": { "default": "Home", "routes": [{ "url": "notes://note/{id}", "screen": "Note" }],
            "screens": { "Home": { "title": "Home" }, "Note": { "title": "Note {id}", "text": "{launch.url}" } } } }
      ]
      """#)
    launch.members = #"""
      "on": { "openURL": [{ "command": "InitialScreen", "with": { "default": "Home" } }],
        "sceneWillConnect": [{ "command": "InitialScreen", "with": { "default": "Scene" } }] },
      """#
    launch.directory = directory
    launch.window = RecordingWindow()
    let record = Lock<LaunchRecord?>(nil)
    var configuration = LifecycleHost.Configuration()
    configuration.window = { _ in RecordingWindow() }
    let host = LifecycleHost(try launch.plan(), configuration: configuration)
    host.receive(.didFinishLaunching(LaunchOptions())) { outcome in record.withLock { $0 = outcome.record } }
    host.receive(.openURL("notes://note/7")) { _ in }
    host.receive(.sceneWillConnect("main")) { _ in }
    host.receive(.sceneDidDisconnect("main")) { _ in }
    guard let json = record.withLock(\.self)?.json(pretty: true) else { throw NoFigures() }
    _ = try LaunchRecord(json: SourceText(name: "record", text: json)).json()
  }

  /// Returns the smallest growth of the heap during many rounds, in bytes: what leaks does so each time.
  private static func growth(_ round: () throws -> Void) throws -> Int {
    stopStoringBacktraces()
    // What the first rounds make stays: types, layouts, the thread of a timer.
    for _ in 0..<50 { try round() }
    var smallest = Int.max
    for _ in 0..<10 where smallest >= tolerance {
      let before = try heapUse()
      for _ in 0..<rounds { try round() }
      smallest = min(smallest, try heapUse() - before)
    }
    return smallest
  }

  /// Stops the testing library from storing a backtrace for each error that is thrown.
  ///
  /// Its functions are in these variables of Swift's runtime.
  private static func stopStoringBacktraces() {
    for name in ["_swift_willThrow", "_swift_willThrowTypedImpl"] {
      dlsym(nil, name)?.storeBytes(of: 0, as: Int.self)
    }
  }

  /// Returns the number of bytes of the heap that are in use (`malloc_info`, glibc).
  private static func heapUse() throws -> Int {
    typealias Function = @convention(c) (Int32, UnsafeMutablePointer<FILE>?) -> Int32
    var (text, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
    guard let address = dlsym(nil, "malloc_info"), let stream = open_memstream(&text, &size) else {
      throw NoFigures()
    }
    _ = unsafeBitCast(address, to: Function.self)(0, stream)
    fclose(stream)
    defer { free(text) }
    guard let text else { throw NoFigures() }
    let lines = String(cString: text).split(separator: "\n")
    // The last lines of each kind are the sums over all arenas.
    func sum(_ kind: String) throws -> Int {
      let line = lines.last { $0.hasPrefix("<" + kind) }
      guard let value = line?.split(separator: "size=\"").last?.prefix(while: \.isNumber),
        let number = Int(value)
      else { throw NoFigures() }
      return number
    }
    return try sum("system type=\"current\"") + sum("total type=\"mmap\"") - sum("total type=\"fast\"")
      - sum("total type=\"rest\"")
  }
}

private final class Cycle {
  private var other: Cycle?
  private let bytes = [UInt8](repeating: 0, count: 200)

  static func make() {
    let one = Cycle()
    one.other = one
  }
}
#endif
