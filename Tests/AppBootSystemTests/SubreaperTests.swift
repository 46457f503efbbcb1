#if os(Linux)
import AppBootLibC
import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("A process that adopts orphans", .ownProcess)
struct SubreaperTests {
  /// Starts a child as other code of an app does, and returns it when it has ended.
  private func endedChild() throws -> pid_t {
    var child: pid_t = 0
    let arguments = [strdup("true"), nil]
    defer { free(arguments[0]) }
    try #require(posix_spawnp(&child, "true", nil, nil, arguments, environ) == 0)
    var info = siginfo_t()
    while waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) != 0 { try #require(errno == EINTR) }
    return child
  }

  private func isReaped(_ child: pid_t) -> Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT | WNOHANG) != 0
  }

  @Test("A child of an app's own code is reaped if the app has not waited for it within a second")
  func ownChild() throws {
    try Subreaper.start(ownsChildren: false)
    var children: [(child: pid_t, begin: Int64)] = []
    var shortest = Int64.max
    // Until the first one is reaped, children end at many moments between two searches.
    let areReaped = try Patience.wait {
      if shortest == .max {
        let begin = MonotonicClock.now()
        children.append((try endedChild(), begin))
      }
      children.removeAll { one in
        guard isReaped(one.child) else { return false }
        shortest = min(shortest, MonotonicClock.now() - one.begin)
        return true
      }
      return children.isEmpty
    }
    #expect(areReaped && shortest >= 1_000_000_000, "\(shortest) ns")
    // The app may be slower than the second.
    let isWaitedFor = try Patience.wait {
      let child = try endedChild()
      return waitpid(child, nil, 0) == child
    }
    #expect(isWaitedFor)
  }
}
#endif
