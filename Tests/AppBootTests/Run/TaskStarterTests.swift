import AppBoot
import AppBootTestKit
import AppBootTestSupport
import Testing

private enum Trace {
  @TaskLocal static var id = "none"
}

@MainActor private final class Window {
  var title = ""
  nonisolated init() {}
}

private struct ShowTitle: MainActorCommand {
  var window = Window()
  func execute(in context: LaunchContext) async throws { window.title = Trace.id }
}

@Suite("The tasks of a launch")
struct TaskStarterTests {
  @Test("Commands of the main lane and asynchronous commands have the task-local values of the launch's task")
  func values() async throws {
    let main = FakeCommand { $0.note(Trace.id) }
    let asynchronous = FakeAsyncCommand { context in
      await Task.yield()
      context.note(Trace.id)
    }
    let plan = LaunchPlan(sequence: [main, asynchronous])
    let record = await Trace.$id.withValue("here") { await plan.run() }
    #expect(record.map(\.details.note) == ["here", "here"])
  }

  @Test("A command does not inherit the task-local values of the previous command")
  func ownValues() async {
    let first = FakeAsyncCommand { context in
      await Trace.$id.withValue("own") {
        await Task.yield()
        context.note(Trace.id)
      }
    }
    let second = FakeAsyncCommand { $0.note(Trace.id) }
    let plan = LaunchPlan(sequence: [first, second])
    let record = await Trace.$id.withValue("here") { await plan.run() }
    #expect(record.map(\.details.note) == ["own", "here"])
  }

  @Test("An expectation in an asynchronous command belongs to the test that runs the launch")
  func expectations() async {
    let asynchronous = FakeAsyncCommand { $0.note(Test.current?.name ?? "no test") }
    let record = await LaunchPlan(sequence: [asynchronous]).run()
    #expect(record[0].details.note == "expectations()")
  }

  @Test("Each task has the priority of the task that runs the launch")
  func priority() async {
    let command = FakeAsyncCommand { $0.note("\(Task.currentPriority.rawValue)") }
    let launch = Task(priority: .high) { await LaunchPlan(sequence: [command, command]).run() }
    let high = "\(TaskPriority.high.rawValue)"
    #expect(await launch.value.map(\.details.note) == [high, high])
  }

  @Test("Cancelling one command's task does not cancel the next command")
  func cancellation() async {
    let first = FakeAsyncCommand { context in
      withUnsafeCurrentTask { $0?.cancel() }
      context.note("\(Task.isCancelled)")
    }
    let second = FakeAsyncCommand { $0.note("\(Task.isCancelled)") }
    let record = await LaunchPlan(sequence: [first, second]).run()
    #expect(record.map(\.details.note) == ["true", "false"])
  }

  @Test("A background command can block while another one waits for it")
  func blocking() async throws {
    let gate = Gate()
    let wait = LaunchStep(FakeBackgroundCommand { _ in gate.wait() }, id: "wait")
    let open = LaunchStep(FakeBackgroundCommand { _ in gate.open() }, id: "open")
    let plan = try LaunchPlan(steps: [(wait, []), (open, [])])
    var configuration = LaunchRunner.Configuration()
    configuration.jobs = 2
    #expect(await LaunchRunner(plan, configuration: configuration).run().succeeded)
  }

  @Test("A command on the main actor uses it with the task-local values")
  @MainActor
  func mainActor() async {
    let command = ShowTitle()
    let record = await Trace.$id.withValue("shown") { await LaunchPlan(sequence: [command]).run() }
    #expect(record.succeeded)
    #expect(command.window.title == "shown")
  }
}
