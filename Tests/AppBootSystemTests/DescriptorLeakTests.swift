#if os(Linux) || os(macOS)
import AppBootLibC
import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("Open descriptors", .ownProcess)
struct DescriptorLeakTests {
  /// Returns the open descriptors that are not in `known`, each with the path of its file.
  ///
  /// Descriptors that another thread opens briefly are left out.
  private static func openDescriptors(except known: Set<String>) throws -> [String] {
    let lists = try (0..<8).map { _ in Set(try FileSystem.list("/dev/fd")) }
    let remaining = lists.dropFirst().reduce(lists[0]) { $0.intersection($1) }
    return remaining.subtracting(known).sorted().map { "\($0) \(FileSystem.resolve("/dev/fd/\($0)") ?? "")" }
  }

  /// Starts a process in one of several ways, and waits for its end. Some of the starts fail.
  private static func start(_ number: Int) throws {
    var request = ProcessRequest(["true"], captureOutput: true, separatesErrors: number % 2 == 0)
    switch number % 8 {
    case 1: request.standardInput = Array("input".utf8)
    case 3: request.arguments = ["appboot-no-such-program"]
    case 5: request.directory = "/appboot-no-such-directory"
    case 7: request.arguments = ["/dev/null"]
    default: break
    }
    let process: Subprocess
    do {
      process = try request.start()
    } catch {
      if number % 2 == 0 || number % 8 == 1 { throw error }
      return
    }
    if number % 8 == 2 {
      let poller = try Poller()
      try poller.add(try process.exitDescriptor(), token: 1)
      _ = try poller.wait()
    }
    _ = process.readOutput { _ in }
    if number % 8 == 4 { process.killGroup(Signals.kill) }
    _ = process.wait()
    process.finish()
  }

  @Test("2,000 starts of a process leave no descriptor open")
  func starts() async {
    await #expect(processExitsWith: .success) {
      do {
        // The first starts open descriptors that stay open.
        for number in 0..<8 { try Self.start(number) }
        let before = Set(try FileSystem.list("/dev/fd"))
        for number in 0..<2_000 { try Self.start(number) }
        let opened = try Self.openDescriptors(except: before)
        // The values of an expectation do not reach the parent process, but comments do.
        #expect(opened.isEmpty, "left open: \(opened)")
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  @Test(
    "A start with few free descriptors succeeds, or fails by a shortage before the program runs",
    arguments: 0..<8)
  func shortage(free: Int) async {
    await #expect(processExitsWith: .success) { [free] in
      do {
        let directory = try FileSystem.makeTemporaryDirectory(prefix: "appboot-shortage")
        let request = ProcessRequest(
          ["/bin/sh", "-c", "echo > ran"], directory: directory, captureOutput: true, separatesErrors: true)
        // The first start opens descriptors that stay open, for example of the watcher of groups.
        let first = try request.startWatched().process
        _ = first.wait()
        first.finish()
        try FileSystem.remove(FileSystem.join(directory, "ran"))
        var taken: [Int32] = []
        // The program does not inherit these copies, because it needs free descriptors too.
        while case let copy = fcntl(1, F_DUPFD_CLOEXEC, 0), copy >= 0 { taken.append(copy) }
        for copy in taken.prefix(free) { Descriptor.close(copy) }
        var end: ProcessEnd?
        var failure: SpawnError?
        do throws(SpawnError) {
          end = try request.startWatched().process.wait()
        } catch {
          failure = error
        }
        for copy in taken.dropFirst(free) { Descriptor.close(copy) }
        let hasRun = FileSystem.exists(FileSystem.join(directory, "ran"))
        if let failure {
          #expect(failure.isShortage && !hasRun, "\(failure), and the program ran: \(hasRun)")
        } else {
          #expect(end == .exited(0) && hasRun, "\(end?.words ?? "")")
        }
        try FileSystem.removeTree(directory)
      } catch {
        Issue.record("\(error)")
      }
    }
  }
}
#endif
