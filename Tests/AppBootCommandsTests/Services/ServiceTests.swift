import AppBoot
import AppBootLibC
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("Service", .ownThread)
struct ServiceTests {
  private func service(
    _ script: String, secret: String? = nil, restart: RestartPolicy = RestartPolicy(),
    served: ServedAddress? = nil,
    settlingTime: Int64 = .max,
    probe: @escaping @Sendable (LaunchContext) throws -> Probe? = { _ in nil }
  ) -> Service {
    let context = LaunchPlan(sequence: [FakeCommand()]).detachedContexts()(0)
    if let secret { context.addSecret(secret) }
    var request = ProcessRequest(["sh", "-c", script], of: context)
    request.separatesErrors = true
    // Contexts without a launch have the same id, so a service of another test would find the processes of this one.
    request.environment?["APPBOOT_LAUNCH"] = "test-\(UInt64.random(in: 0 ... .max))"
    let start = ServiceProcess.Start(
      request: request, context: context, probe: { try probe(context) }, served: { served },
      settlingTime: settlingTime)
    return Service(
      id: "a", restart: restart, grace: .seconds(10), stopSignal: Signals.terminate, onExit: .fail,
      context: context
    ) { try ServiceProcess(start) }
  }

  /// Advances a service each time that one of its descriptors is readable, at most 1,000 times.
  private func advance(
    _ service: Service, until isDone: (Service.Progress, [OutputLine]) -> Bool
  ) throws {
    for _ in 0..<1000 {
      let poller = try Poller()
      for descriptor in service.descriptors { try poller.add(descriptor, token: 0) }
      _ = try poller.wait(deadline: service.nextDeadline)
      let (progress, lines) = service.advance()
      if isDone(progress, lines) { return }
    }
  }

  /// Kills a service, and waits until everything that it has started has ended.
  private func end(_ service: Service) throws {
    service.kill()
    try advance(service) { progress, _ in if case .ended = progress { true } else { false } }
    service.release()
    service.stayDown()
  }

  @Test("A service that closed its output is watched for its end alone")
  func closedOutput() throws {
    let service = service("exec >&- 2>&-; exec sleep 60")
    try service.start()
    try advance(service) { _, _ in service.descriptors.count == 1 }
    #expect(service.descriptors.count == 1)
    service.kill()
    var isEnded = false
    while !isEnded { if case .ended = service.advance().progress { isEnded = true } }
    service.release()
  }

  @Test(
    "A service is ready before its end, whatever is seen first",
    arguments: [("exit 3", nil), ("echo up; exit 3", "^up$")] as [(String, String?)])
  func readyBeforeEnd(script: String, pattern: String?) throws {
    let expression = try pattern.map { try SearchExpression($0) }
    let service = service(script) { _ in expression.map { Probe(OutputCheck(expression: $0)) } }
    try service.start()
    let process = try #require(service.pid)
    var info = siginfo_t()
    #expect(waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) == 0)
    #expect(service.advance().progress == .ready(pattern == nil ? "started" : "it printed \"up\""))
    var end = Service.Progress.nothing
    while end == .nothing { end = service.advance().progress }
    #expect(end == .ended(.exited(3)))
    service.release()
  }

  @Test("A service whose process ends is stopping until the processes that it left have ended")
  func leftProcesses() throws {
    let child = "(trap 'echo bye; exit' TERM; echo up; kill -USR1 $$; while :; do sleep 0.01; done)"
    let service = service("trap 'exit 3' USR1; \(child) & wait") { _ in
      Probe(OutputCheck(expression: try SearchExpression("up")))
    }
    try service.start()
    var progress: [Service.Progress] = []
    var printed: [String] = []
    while true {
      let (new, lines) = service.advance()
      printed += lines.map(\.text)
      if new != .nothing { progress.append(new) }
      if case .ended = new { break }
    }
    #expect(progress == [.ready("it printed \"up\""), .left, .ended(.exited(3))])
    #expect(printed.contains("bye"))
    #expect(service.decide(after: .exited(3), at: MonotonicClock.now()) == .end)
    #expect(service.status.end == "exited with code 3")
    service.release()
  }

  @Test("The stored output has the lines of both streams, each on a line of its own")
  func streams() throws {
    let service = service("printf out; printf err >&2; exit 3")
    try service.start()
    var end: Service.Progress?
    while end == nil {
      let progress = service.advance().progress
      if case .ended = progress { end = progress }
    }
    #expect(end == .ended(.exited(3)))
    let process = try #require(service.work as? ServiceProcess)
    #expect(Set(process.outputText.split(separator: "\n")) == ["out", "err"])
    service.release()
  }

  @Test("A probe's answer does not count if another process may have answered and this one ends")
  func foreignAnswer() throws {
    let service = service(
      "trap 'exit 3' TERM; echo up; while :; do sleep 0.01; done",
      served: ServedAddress(name: "a:1", port: nil, answered: .beforeStart)
    ) {
      _ in
      Probe(AnsweredCheck())
    }
    try service.start()
    try advance(service) { progress, lines in
      #expect(progress == .nothing)
      return !lines.isEmpty || progress != .nothing
    }
    Signals.send(Signals.terminate, to: try #require(service.pid))
    // The shell may leave a `sleep`.
    var end = Service.Progress.nothing
    while [.nothing, .left].contains(end) { end = service.advance().progress }
    #expect(end == .ended(.exited(3)))
    service.release()
  }

  /// A port that this process listens at, and the service does not.
  private func strange(_ listener: SocketListener) -> ServedAddress {
    ServedAddress(name: "a:1", port: listener.port, answered: .afterStart)
  }

  @Test("A service is ready although another process listens at its port, and its status names that process")
  func strangeListener() throws {
    let listener = try SocketListener()
    let service = service("exec sleep 60", served: strange(listener), settlingTime: 0) { _ in
      Probe(AnsweredCheck())
    }
    try service.start()
    #expect(service.advance().progress == .ready("answered"))
    #if os(Linux)
    let doubt = try #require(service.status.doubt)
    #expect(
      doubt.address == "a:1" && doubt.listener?.hasSuffix("(process \(Host.processIdentifier))") == true)
    #endif
    try end(service)
  }

  @Test("A service whose port has no listener that AppBoot can find has no warning about its address")
  func noListener() throws {
    let service = service(
      "exec sleep 60", served: ServedAddress(name: "a:1", port: 0, answered: .afterStart), settlingTime: .max
    ) { _ in Probe(AnsweredCheck()) }
    try service.start()
    #expect(service.advance().progress == .ready("answered"))
    #expect(service.status.doubt == nil)
    try end(service)
  }

  #if os(Linux)
  @Test("A listener that has gone still makes the answer doubtful")
  func goneListener() throws {
    let listener = try SocketListener()
    let service = service("exec sleep 60", served: strange(listener)) { _ in Probe(AnsweredCheck()) }
    try service.start()
    #expect(service.advance().progress == .nothing)
    listener.close()
    #expect(service.advance().progress == .nothing)
    try end(service)
  }

  @Test("The error of a service that ends before it is ready names the process that took its port")
  func takenPort() throws {
    let listener = try SocketListener()
    var error: String?
    // A look at the processes can be undecided while others start. The service is then ready before its end.
    for _ in 0..<100 where error == nil {
      let service = service("exit 1", served: strange(listener), settlingTime: .max) { _ in
        Probe(AnsweredCheck())
      }
      try service.start()
      var end = Service.Progress.nothing
      while [.nothing, .left].contains(end) { end = service.advance().progress }
      if case .ended(let reason) = end {
        error = "\(service.error(ending: reason))"
        service.release()
      } else {
        try self.end(service)
      }
    }
    #expect(
      error?.contains(
        "(process \(Host.processIdentifier)) also listens on the port of a:1: if that is the cause") == true)
  }
  #endif

  @Test("A process that ended while its probe was answered is not ready")
  func endedBeforeAnswer() throws {
    let exit = Lock<Int32?>(nil)
    let service = service("exit 3") { _ in Probe(AnsweredCheck(exit: exit)) }
    try service.start()
    exit.withLock { $0 = service.descriptors.first }
    var progress = Service.Progress.nothing
    while progress == .nothing { progress = service.advance().progress }
    #expect(progress == .ended(.exited(3)))
    service.release()
  }

  /// Returns a service that is ready by a notification, and a lock that has the path of its socket after the start.
  private func notifying(_ script: String = "exec sleep 60") -> (service: Service, path: Lock<String>) {
    let path = Lock("")
    let service = service(script) { _ in
      let socket = try NotificationSocket()
      path.withLock { $0 = socket.path }
      return Probe(NotifyCheck(socket: socket))
    }
    return (service, path)
  }

  @Test("A service can send notifications after its step has succeeded")
  func laterNotification() async throws {
    let (service, path) = notifying()
    let supervisor = try ServiceSupervisor { _ in }
    let operation = try ServiceStart.start(service, with: supervisor)
    let socket = path.withLock(\.self)
    let isReady = Gate()
    operation.whenNews { isReady.open() }
    try NotificationSocket.send("READY=1", to: socket)
    await isReady.passed()
    #expect(operation.advance() != nil)
    operation.release()
    #expect(throws: Never.self) { try NotificationSocket.send("STATUS=serving", to: socket) }
    supervisor.stopAll(dependents: [:])
    #expect(!FileSystem.exists(socket))
  }

  @Test("The notification socket of a service is watched and read until its process has ended")
  func notificationSocket() throws {
    let (service, path) = notifying("trap '' TERM; exec sleep 60")
    try service.start()
    let socket = path.withLock(\.self)
    let watched = Set(service.descriptors)
    try NotificationSocket.send("READY=1", to: socket)
    try advance(service) { progress, _ in progress == .ready("it reported READY=1") }
    #expect(watched.isSubset(of: service.descriptors))
    for isStopping in [false, true] {
      if isStopping { service.beginToStop(at: 0) }
      // More than the system stores for a socket.
      for _ in 0..<2000 {
        try NotificationSocket.send("STATUS=busy", to: socket)
        if service.advance().progress != .nothing { break }
      }
    }
    try end(service)
    #expect(!FileSystem.exists(socket))
  }

  @Test("A killed service leaves no process")
  func killed() throws {
    let service = service("trap '' TERM; while :; do sleep 60; done")
    try service.start()
    let process = try #require(service.pid)
    try end(service)
    #expect(!Signals.send(0, to: process))
    #expect(service.status.state == .ended && service.status.end == "was killed by SIGKILL")
  }

  @Test("A service that ends while the app ends stops with it, and its onExit does not apply")
  func ending() throws {
    var restart = RestartPolicy()
    restart.when = .always
    let service = service("exit 3", restart: restart)
    try service.start()
    var end: ServiceEnd?
    try advance(service) { progress, _ in
      if case .ended(let found) = progress { end = found }
      return end != nil
    }
    service.release()
    let found = try #require(end)
    #expect(service.decide(after: found, at: 0, isEnding: true) == .stop)
    #expect(service.status.state == .stopped)
    #expect(service.decide(after: found, at: 0) == .restart)
    #expect(self.service("exit 3").decide(after: found, at: 0, isEnding: true) == .stop)
    #expect(self.service("exit 3").decide(after: found, at: 0) == .end)
  }

  @Test(
    "A service that fails its live probe is restarted after its stop, unless a request stops it",
    arguments: [false, true])
  func failing(isRequested: Bool) throws {
    let service = service("echo up; exec sleep 60", restart: RestartPolicy(.onFailure))
    try service.start()
    #expect(!service.beginToStop(for: .notLive("a"), at: 0))
    try advance(service) { progress, _ in progress == .ready("started") }
    #expect(service.beginToStop(for: .notLive("a"), at: 0))
    if isRequested { service.beginToStop(at: 0) }
    var end: ServiceEnd?
    try advance(service) { progress, _ in
      if case .ended(let found) = progress { end = found }
      return end != nil
    }
    #expect(
      service.words(for: try #require(end)) == (isRequested ? "was killed by SIGTERM" : "was stopped: a"))
    service.release()
    #expect(service.decide(after: try #require(end), at: 0) == (isRequested ? .stop : .restart))
    #expect(service.status.state == (isRequested ? .stopped : .restarting))
  }

  @Test("A service without a restart is not stopped for its live probe")
  func unhealthy() throws {
    let service = service("echo up; exec sleep 60")
    try service.start()
    try advance(service) { progress, _ in progress == .ready("started") }
    #expect(!service.beginToStop(for: .notLive("a"), at: 0))
    #expect(service.status.state == .ready)
    try end(service)
  }

  @Test("The note about a long line shows no part of a secret that was cut")
  func cutSecret() throws {
    let script = "head -c 16380 /dev/zero | tr '\\0' x; echo open sesame; exec sleep 60"
    let service = service(script, secret: "open sesame") {
      try ProbeCondition.output("ame$").start(in: $0)
    }
    try service.start()
    var answer = Service.Progress.nothing
    try advance(service) { progress, _ in
      answer = progress
      return progress != .nothing
    }
    #expect(answer == .ready("it printed a long line that matches"))
    try end(service)
  }

  @Test("A probe sees the output as it is, and shows it without secrets")
  func secretOutput() throws {
    let service = service("echo open sesame; exec sleep 60", secret: "sesame") {
      try ProbeCondition.output("^open sesame$").start(in: $0)
    }
    try service.start()
    var answer = Service.Progress.nothing
    var lines: [OutputLine] = []
    try advance(service) { progress, new in
      lines += new
      if progress != .nothing { answer = progress }
      return progress != .nothing
    }
    #expect(answer == .ready("it printed \"open ***\""))
    #expect(lines.map(\.text) == ["open ***"])
    service.kill()
    while true { if case .ended = service.advance().progress { break } }
    service.release()
  }
}

/// A check that holds as soon as a descriptor is readable. Without a descriptor it holds at once.
private struct AnsweredCheck: ProbeCheck {
  var exit: Lock<Int32?>?

  func look(at time: Int64) -> Sighting {
    guard let exit else { return .ready("answered") }
    guard let descriptor = exit.withLock(\.self), let poller = try? Poller() else {
      return .unready("not yet")
    }
    try? poller.add(descriptor, token: 0)
    _ = try? poller.wait()
    return .ready("answered")
  }
}
