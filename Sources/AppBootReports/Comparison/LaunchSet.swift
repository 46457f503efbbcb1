import AppBoot

/// The launches of one side of a comparison that booted.
struct LaunchSet {
  let outline: LaunchOutline?
  let side: Comparison.Side
  let durations: [Int64]
  /// How long each fixed piece of work took beside each launch, where it was measured.
  let calibrations: [[Int64]]
  private let booted: [StartupRecord]
  private let elapsed: [String: [Int64]]
  private let work: [String: [Int64]]

  init(_ records: [StartupRecord]) {
    booted = records.filter(\.succeeded)
    // The newest launch stands for the plan: the others may be from before a change.
    outline = (booted.isEmpty ? records : booted).max { $0.startedAt < $1.startedAt }?.outline
    var hosts: [RecordHeader.Host] = []
    for host in booted.compactMap(\.header.host) where !hosts.contains(host) { hosts.append(host) }
    side = Comparison.Side(
      name: outline?.name ?? "", launches: booted.count, leftOut: records.count - booted.count, hosts: hosts)
    durations = booted.map(\.duration)
    calibrations = Self.calibrations(beside: booted)
    var elapsed: [String: [Int64]] = [:]
    var work: [String: [Int64]] = [:]
    for record in booted {
      for step in record where step.state == .succeeded {
        elapsed[step.id, default: []].append(step.execution.running)
        if let time = step.details.cpuTime { work[step.id, default: []].append(time) }
      }
    }
    (self.elapsed, self.work) = (elapsed, work)
  }

  /// How long each fixed piece of work took beside each of the launches, where it was measured.
  static func calibrations(beside records: [StartupRecord]) -> [[Int64]] {
    let measured = records.map(\.header.calibrations).filter { !$0.isEmpty }
    return (0..<(measured.map(\.count).min() ?? 0)).map { kind in measured.map { $0[kind] } }
  }

  /// Whether half of the launches took longer than the fast ones by more than a calm machine makes of the same launch.
  var isUneven: Bool {
    let fast = FastTime.of(durations, size: max(1, durations.count / 2))
    return Double(durations.median) > Double(fast) * MachineIdleness.tolerance
  }

  /// How long a step ran, in each launch in which it succeeded.
  func running(_ id: String) -> [Int64] { elapsed[id] ?? [] }

  /// The processor time of a step in each of these launches; `nil` unless it was measured in all.
  func processor(_ id: String) -> [Int64]? {
    guard let times = work[id], times.count == running(id).count else { return nil }
    return times
  }

  /// How long each launch took, less what the chosen steps of its critical path waited for a processor.
  func durations(withoutWaitsOf isBusy: (String) -> Bool) -> [Int64] {
    booted.map { record in
      CriticalPath(of: record).steps.reduce(record.duration) { duration, index in
        let step = record[index]
        guard isBusy(step.id), let work = step.details.cpuTime else { return duration }
        return duration - max(0, step.execution.running - work)
      }
    }
  }
}
