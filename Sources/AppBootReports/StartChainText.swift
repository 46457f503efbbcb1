package import AppBoot
import AppBootAnalysis
import AppBootRecords

/// The reasons why a step started when it did, as text for a terminal.
package struct StartChainText: Sendable {
  /// The shortest delay between the possible and the actual start that is shown: 1 ms.
  private static let leastDelay: Int64 = 1_000_000

  /// The number of links at each end of a long chain that are shown.
  private static let ends = 20

  private let style: TextStyle
  private let beginning: String

  /// Creates a text in a style.
  ///
  /// - Parameter beginning: What a step without a predecessor started with.
  package init(style: TextStyle = TextStyle(), beginning: String = "the launch") {
    self.style = style
    self.beginning = beginning
  }

  /// Returns why a step started when it did: a row for each step of the chain, back to the launch's start.
  package func text(ofStep step: Int, in record: LaunchRecord) -> String {
    let path = CriticalPath(of: record)
    let chain = path.chain(to: step)
    guard !chain.isEmpty else {
      let result = StepResult(record[step], in: record).text
      return "\(name(step, record)) never started: \(style.visible(result))\n"
    }
    return text(of: chain, jobs: path.jobs, in: record)
  }

  /// Returns the same reasons as JSON. Times are in nanoseconds since the launch began.
  package func json(ofStep step: Int, in record: LaunchRecord) -> String {
    let path = CriticalPath(of: record)
    let chain = path.chain(to: step)
    let json: JSONObject = [
      "step": record.outline[step].id,
      "state": record[step].state.name,
      "reason": chain.isEmpty ? record.reasonText(of: step) : nil,
      "jobs": chain.isEmpty ? nil : path.jobs,
      "chain": chain.map { self.json(of: $0, record) },
    ]
    return json.text(pretty: true)
  }

  private func json(of link: CriticalPath.Link, _ record: LaunchRecord) -> JSONObject {
    [
      "step": record.outline[link.step].id,
      "start": link.start,
      "possible": link.possible,
      "ready": record[link.step].execution.readyTime,
      "reason": link.reason.name,
      "waitedFor": link.reason.step.map { record.outline[$0].id },
      "running": link.reason.step.map { record[$0].execution.runningTime },
    ]
  }

  private func text(of links: [CriticalPath.Link], jobs: Int, in record: LaunchRecord) -> String {
    let names = links.map { style.visible(record.outline[$0.step].id) }
    let times = links.map { style.time($0.start) }
    let heading = style.paint(
      "why \(names.first ?? "") started \(times.first ?? "") after the launch began:", .heading)
    let rows = links.indices.map { index in
      [names[index], times[index], sentence(links[index], jobs: jobs, record)]
    }
    let hidden = rows.count - 2 * Self.ends
    let more = [[style.usesASCII ? "..." : "…", "", "\(hidden) more"]]
    let shown = hidden > 1 ? rows.prefix(Self.ends) + more + rows.suffix(Self.ends) : rows
    let columns: [TextTable.Column] = [.leading(most: style.columns(over: 3)), .trailing(), .leading()]
    return heading + "\n" + TextTable(columns, style: style, indent: 2, wrap: 6).text(shown)
  }

  /// Returns why a step started when it did, for example `after a, which ran 6.0 ms`.
  func sentence(_ link: CriticalPath.Link, jobs: Int, _ record: LaunchRecord) -> String {
    let ready = record[link.step].execution.readyTime ?? link.possible
    let since = "could start at \(style.time(ready))"
    var words =
      switch link.reason {
      case .launch: "with \(beginning)"
      case .after(let step): "after \(name(step, record)), which \(run(of: step, record))"
      case .lane(let step):
        "when \(name(step, record)), which \(run(of: step, record)), released the main lane; \(since)"
      case .slot(let step):
        "when \(name(step, record)), which \(run(of: step, record)), released \(slot(jobs)); \(since)"
      }
    let delay = link.start - link.possible
    if delay >= Self.leastDelay { words += "; started \(style.time(delay)) later" }
    return words
  }

  private func slot(_ jobs: Int) -> String { jobs == 1 ? "the only slot" : "one of \(jobs) slots" }

  private func name(_ step: Int, _ record: LaunchRecord) -> String {
    style.visible(record.outline[step].id)
  }

  /// Returns how long a step ran, with its attempts and the pauses between them.
  func run(of step: Int, _ record: LaunchRecord) -> String {
    let step = record[step]
    let ran = step.ranText(style.time)
    let attempts = step.details.attempts
    guard attempts.count > 1 else { return ran }
    let pause = max(0, step.execution.runningTime - step.workingTime)
    return "\(ran) in \(attempts.count) attempts with \(style.time(pause)) between them"
  }
}

extension CriticalPath.Reason {
  /// The name of the reason in JSON.
  var name: String {
    switch self {
    case .launch: "launch"
    case .after: "after"
    case .lane: "lane"
    case .slot: "slot"
    }
  }
}
