import AppBoot
import AppBootRecords
import AppBootReports

/// The facts that a live view shows: the fold of a stream's lines.
struct LiveModel {
  /// A service of the app, as its last line described it.
  struct Service {
    let id: String
    var state = "waiting"
    var pid: Int?
    /// The time on the monotonic clock at which it started; `nil` if it does not run.
    var start: Int64?
    var restarts = 0
    /// The health and the last answer of its probe; `nil` if it has none.
    var health: String?
    /// The way in which it ended last; `nil` if it runs.
    var end: String?
    /// The bytes of memory, and the CPU time in percent of a core, of the last two minutes, newest last.
    var memory: [Double] = []
    var cpu: [Double] = []
    /// The time and the CPU time of the last measurement.
    fileprivate var measured: (at: Int64, cpu: Int64)?

    var isUp: Bool { ["starting", "ready", "restarting"].contains(state) }
  }

  /// The number of measurements in two minutes.
  static let samples = 60

  private(set) var launch: FollowedLaunch?
  private(set) var services: [Service] = []
  /// The recorded durations of the steps in nanoseconds, by step id.
  private(set) var expected: [String: Int64] = [:]
  /// The events whose handlers run, with the times on the monotonic clock at which they began.
  private(set) var events: [(name: String, start: Int64)] = []
  /// The event whose handlers failed last, with the step; `nil` if none did.
  private(set) var failedEvent: String?
  /// The causes of the failures of handlers' steps, by id, until no handlers run.
  private var causes: [String: String] = [:]
  /// True after the last line of an app that ended in order.
  private(set) var hasEnded = false
  /// The time on the monotonic clock at which the launch began.
  private(set) var origin: Int64 = 0

  var record: LaunchRecord? { launch?.record }
  var isLaunching: Bool { record?.outcome == .running }
  func service(_ id: String) -> Service? { services.first { $0.id == id } }

  /// The failed step to fix first, as in the reports; `nil` without a failure that the launch does not allow.
  var failedStep: StepRecord? { record?.failuresFirstToFix.first { !$0.isAllowedFailure } }

  /// The first service that has failed; `nil` if none has.
  var failedService: Service? { services.first(where: hasFailed) }

  /// Returns whether a service is down or restarts because of a failure that the launch does not allow.
  ///
  /// The stream has only words for an end.
  func hasFailed(_ service: Service) -> Bool {
    switch service.state {
    case "failed": record?.first { $0.id == service.id }?.isAllowedFailure != true
    case "ended", "restarting":
      service.end?.wholeMatch(of: /exited with code 0|returned|was stopped, because .+/) == nil
    default: false
    }
  }

  /// True after a launch that succeeded, whatever its services did later.
  private var hasBooted = false
  var showsServices: Bool { hasBooted && !services.isEmpty }

  /// The ids in the order of the view: of an app that has booted first the services, and otherwise the steps.
  var rows: [String] {
    let steps = record?.outline.map(\.id) ?? []
    guard showsServices else { return steps }
    let services = services.map(\.id)
    return services + steps.filter { !services.contains($0) }
  }

  /// Adds a line of the stream. A line of an unknown kind is ignored.
  mutating func apply(_ text: String, at now: Int64) {
    guard let line = try? JSONDocument(parsing: SourceText(name: "event", text: text)).root else { return }
    switch line["kind"]?.string {
    case "snapshot":
      origin = now - (line.number("at") ?? 0)
      launch = line["launch"].flatMap { try? FollowedLaunch(json: SourceText(name: "launch", text: $0.text)) }
      for member in line["expected"]?.members ?? [] {
        expected[member.key.string] = member.value.number
      }
      services = []
      events = line["status"]?["handling"]?.string.map { [($0, now)] } ?? []
      update(line["status"]?["services"], at: now)
    case "measured": update(line["services"], at: now)
    case "serviceChanged": if let id = line["step"]?.string { update(id, line, at: now) }
    case "appEnded": hasEnded = true
    case "launchStarted" where line["event"] != nil:
      events.append((line["event"]?.string ?? "", origin + (line.number("at") ?? 0)))
    case "launchEnded" where line["event"] != nil:
      let name = line["event"]?.string ?? ""
      // The name in a status may have a scene or a service after it.
      if let index = events.firstIndex(where: { $0.name.hasPrefix(name) }) { events.remove(at: index) }
      let step = line["failedStep"]?.string
      let place = step.map { id in " at \(id)" + (causes[id].map { ": \($0)" } ?? "") } ?? ""
      failedEvent =
        line["outcome"]?.string == "succeeded" ? nil : "the handlers of \(name) failed\(place)"
      if events.isEmpty { causes = [:] }
    case "launchStarted" where line["startedAt"] != nil:
      // A stream that began before the launch has no snapshot of its time.
      origin = now - (line.number("at") ?? 0)
      launch?.apply(line)
    default:
      if !events.isEmpty, let id = line["step"]?.string, let text = line["failure"]?["message"]?.string {
        causes[id] = Failure(message: text, type: "").cause
      }
      // After the launch, the steps of events have the ids of the launch, and only services still change it.
      if isLaunching || line["step"]?.string.map({ service($0) != nil }) ?? true { launch?.apply(line) }
    }
    hasBooted = hasBooted || record?.outcome == .succeeded
  }

  /// Notes that the stream has ended. Without its last line, the app was killed, and what runs is not known.
  mutating func end() {
    guard !hasEnded else { return }
    services = services.map { old in
      guard old.isUp || old.start != nil else { return old }
      return Service(id: old.id, state: "unknown", restarts: old.restarts, end: old.end)
    }
  }

  private mutating func update(_ list: JSONValue?, at now: Int64) {
    for service in list?.elements ?? [] {
      if let id = service["id"]?.string { update(id, service, at: now) }
    }
  }

  private mutating func update(_ id: String, _ facts: JSONValue, at now: Int64) {
    let index = services.firstIndex { $0.id == id } ?? services.count
    if index == services.count { services.append(Service(id: id)) }
    var service = services[index]
    service.state = facts["state"]?.string ?? service.state
    service.pid = facts.number("pid").map(Int.init)
    service.start = facts.number("uptime").map { now - $0 }
    service.restarts = facts.number("restarts").map(Int.init) ?? service.restarts
    service.health = facts["health"]?.string.map { health in
      facts["statusText"]?.string.map { "\(health): \($0)" } ?? health
    }
    service.end = facts["end"]?.string
    if let memory = facts.number("memory"), let cpu = facts.number("cpu") {
      if let (before, used) = service.measured, now > before, cpu >= used {
        service.cpu.append(100 * Double(cpu - used) / Double(now - before))
      }
      service.memory = (service.memory + [Double(memory)]).suffix(Self.samples)
      service.cpu = service.cpu.suffix(Self.samples)
      service.measured = (now, cpu)
    } else if service.pid == nil {
      (service.memory, service.cpu, service.measured) = ([], [], nil)
    }
    services[index] = service
  }
}

extension JSONValue {
  /// The number, limited so that calculations do not overflow; `nil` for another value.
  fileprivate var number: Int64? {
    (try? integer(as: Int64.self)).map { max(0, min($0, LaunchRecord.longestTime)) }
  }

  fileprivate func number(_ key: String) -> Int64? { self[key]?.number }
}
