import AppBoot
import AppBootCommands
import Foundation

func probeProcesses() throws {
  let steps = (0..<1000).map { index -> (step: StartupStep, after: [String]?) in
    var command = RunProcess()
    command.arguments = ["/bin/true"]
    return (StartupStep(command, id: "s\(index)"), [])
  }
  let plan = try StartupPlan(steps: steps)
  var configuration = StartupRunner.Configuration()
  configuration.jobs = 2
  let raw = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(
    "RawSpawn"
  ).path
  let samples = sideBySide(rounds: 9) {
    precondition(StartupRunner(plan, configuration: configuration).run().succeeded)
  } _: {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: raw)
    process.arguments = ["1000", "2", "/bin/true"]
    try? process.run()
    process.waitUntilExit()
  }
  print("1000 x true:", text(samples.0.median), text(samples.1.median), ratio(samples))
}
