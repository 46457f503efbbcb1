@testable import AppBoot
@testable import AppBootAnalysis
@testable import AppBootCommands
@testable import AppBootReports
@testable import AppBootSchema
@testable import AppBootTool

private let registry: CommandRegistry = {
  var registry = CommandRegistry()
  registry.register(StockCommands.all)
  return registry
}()

/// Reads a manifest, renders its problems, and simulates its launch.
func fuzzManifest(_ bytes: [UInt8]) {
  let source = SourceText(name: "commands.json", bytes: bytes)
  do throws(PlanError) {
    check(try Manifest(parsing: source), choice: bytes.choice)
  } catch {
    require(!error.mistakes.isEmpty, "the manifest is refused without a mistake")
    check(error.diagnostics, in: source, choice: bytes.choice)
  }
}

private func check(_ manifest: Manifest, choice: Int) {
  let builder = StartupCommandsBuilder(manifest: manifest, registry: registry)
    .environment(["HOME": "/nowhere", "CI": "true"])
  let problems = builder.problems()
  require(problems.shown.count <= Diagnostics.limit + 1, "\(problems.shown.count) problems are shown")
  check(problems.shown, in: manifest.source, choice: choice)
  let plan = try? builder.build()
  require((plan == nil) == (problems.errorCount > 0), "problems and plan disagree: \(problems.shown)")
  guard let plan else { return }
  switch choice % 4 {
  case 0: checkOutputs(of: plan, choice: choice / 4)
  case 1: checkSelections(of: plan, builder)
  default: simulate(plan, choice: choice / 4)
  }
}

// MARK: - Problems

private func check(_ problems: [Diagnostic], in source: SourceText, choice: Int) {
  let end = source.nextStart
  for problem in problems {
    for range in [problem.range] + problem.notes.map(\.range) {
      require(Int(range.end) < end, "the place \(range) is outside of the text: \(problem.message)")
    }
    require(!problem.message.isEmpty, "a problem has no message")
  }
  var renderer = DiagnosticRenderer(usesASCII: choice % 2 == 0, excerptWidth: choice % 3 == 0 ? 20 : 100)
  switch choice % 3 {
  case 0:
    renderer.breaksWorkflowCommands = true
    let text = renderer.text(problems, in: source)
    requireVisible(text, "validate")
    requireInert(text, "validate")
  case 1:
    let items = requireJSON(renderer.json(problems, in: source), "validate --format json")?.elements
    require(items?.count == problems.count, "validate --format json has other problems")
  default:
    let text = renderer.github(problems, in: source)
    requireVisible(text, "validate --format github")
    require(text.utf8.count { $0 == 0x0A } == problems.count, "a problem has several annotations")
  }
}

// MARK: - Plans

private func checkOutputs(of plan: LaunchPlan, choice: Int) {
  let order = StartOrder(jobs: 2, history: [:])
  let captured = CapturedOutput()
  switch choice % 4 {
  case 0:
    PlanJSON(order: order).write(plan, to: captured.output)
    requireJSON(captured.text, "list --format json")
  case 1:
    let text = LaunchGraph(plan).dot
    requireVisible(text, "list --format dot")
    for line in text.utf8.split(separator: 0x0A) { requireQuotes(line, text) }
  case 2:
    requireVisible(LaunchGraph(plan).mermaid, "list --format mermaid")
  default:
    PlanText(style: TextStyle(width: 80), order: order).write(plan, to: captured.output)
    requireVisible(captured.text, "list")
  }
}

/// Requires that each quoted text of a line in the DOT language ends where AppBoot ends it.
private func requireQuotes(_ line: Substring.UTF8View, _ text: String) {
  var isQuoted = false
  var isEscaped = false
  for byte in line {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = isQuoted
    } else if byte == UInt8(ascii: "\"") {
      isQuoted.toggle()
    } else if !isQuoted {
      require(byte < 0x80, "list --format dot has text outside of quotes: \(shown(text))")
    }
  }
  require(!isQuoted, "list --format dot has an open quote: \(shown(text))")
}

/// Requires that each step can be selected, and that the selection changes only what is skipped.
private func checkSelections(of plan: LaunchPlan, _ builder: StartupCommandsBuilder) {
  guard let id = plan.last?.id else { return }
  let others = [try? plan.selecting([id]), try? plan.selecting(upTo: [id]), try? plan.skipping([id])]
  for other in others {
    require(other?.map(\.id) == plan.map(\.id), "the plan of a selection has other steps")
  }
  let options = LaunchOptions(reason: .url, url: "notes://note/7?x=%zz&y#f")
  require((try? builder.launchOptions(options).build()) != nil, "a launch for a URL has no plan")
}

/// Requires that a simulated launch ends, and that its record is the same after it is written and read.
private func simulate(_ plan: LaunchPlan, choice: Int) {
  var simulation = Simulation(
    plan, jobs: 2, durations: plan.indices.map { Int64(1 + $0 % 3) * 1_000_000 })
  do throws(Simulation.Stuck) {
    let events = try simulation.run()
    var record = LaunchRecord(outline: plan.outline, startedAt: "2026-07-28T09:05:03.250Z")
    for event in events { record.apply(event) }
    require(record.outcome != .running, "the record has no end")
    checkReports(of: record, choice: choice)
  } catch {
    require(false, "the launch is stuck after \(error.time) ns")
  }
}
