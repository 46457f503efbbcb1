public import AppBoot
import AppBootSystem

/// A command that checks requirements of this machine, such as programs and ports, and reports all unmet ones at once.
public struct CheckEnvironment: AsyncCommand {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "CheckEnvironment"

  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Checks the machine for the launch, and reports all that is missing at once.",
    discussion: """
      Each finding says what is wrong and what to do: your "hint", or a general one. If the step fails the launch, the \
      exit code is 4.

      A program's version is the first number with dots that `PROGRAM --version` prints within 5 s; \
      "versionArguments" replaces --version. A requirement such as ">=3.11" compares as many numbers as it has; \
      ">=3.11 <4" has two. Programs without "version" are only looked up.

      A port is free if a server could listen on it on all interfaces. Memory is the machine's, or a container's \
      limit. The value of a variable is never shown.
      """,
    example: """
      { "command": "CheckEnvironment", "with": {
        "programs": ["git", { "name": "node", "version": ">=20", "hint": "brew install node" }],
        "variables": ["DATABASE_URL"],
        "ports": [8080]
      } }
      """,
    replacesVariables: false)

  /// The programs that must exist.
  @Parameter("The programs that must be there.")
  package var programs: [RequiredProgram] = []

  /// The environment variables that must be set and not empty.
  @Parameter("The environment variables that must be set and not empty.")
  package var variables: [RequiredVariable] = []

  /// The files and directories that must exist.
  @Parameter("The files and directories that must exist.")
  package var files: [RequiredFile] = []

  /// TCP ports that must be free.
  @Parameter("The TCP ports that must be free: numbers or texts, for example \"{env.PORT}\".")
  package var ports: [RequiredPort] = []

  /// The disk space that must be free.
  @Parameter("The space that must be free.")
  package var disk: [RequiredSpace] = []

  /// The minimum memory of the machine or container; `nil` for no minimum.
  @Parameter("The least memory of the machine or container.")
  package var memory: ByteSize?

  /// The operating systems that the launch can run on; `nil` for all.
  @Parameter("The system, or a list of them.")
  package var system: OneOrMore<OperatingSystem>?

  /// The processor architectures that the launch can run on; `nil` for all.
  @Parameter("The processor architecture, for example \"arm64\", or a list of them.")
  package var architecture: OneOrMore<String>?

  /// Creates a check without requirements.
  public init() {}

  /// Checks all requirements.
  ///
  /// - Throws: A ``MissingPrecondition`` that lists all unmet requirements; `CancellationError` if the step was
  ///   cancelled.
  public func execute(in context: LaunchContext) async throws {
    try await OperationLoop.run(try start(in: context))
  }
}

extension CheckEnvironment: OperationCommand {
  package func start(in context: LaunchContext) throws -> any PolledOperation {
    let checks = EnvironmentFacts(context: context)
    let programs = try look(checks)
    var findings: [String] = []
    findings += variables.compactMap(checks.problem)
    findings += files.compactMap(checks.problem)
    findings += ports.compactMap(checks.problem)
    findings += disk.compactMap(checks.problem)
    findings += [
      memory.flatMap(checks.problem), system.flatMap(checks.problem), architecture.flatMap(checks.problem),
    ].compactMap(\.self)
    return EnvironmentOperation(programs, besides: findings) { context.note("nothing is missing") }
  }

  /// Looks for the programs. If one cannot be started now, kills those that were started, so that all start later.
  private func look(
    _ checks: EnvironmentFacts
  ) throws(EnvironmentShortage) -> [EnvironmentFacts.Program] {
    var looked: [EnvironmentFacts.Program] = []
    for program in programs {
      do throws(EnvironmentShortage) {
        looked.append(try checks.look(program))
      } catch {
        for case .asked(let check) in looked { check.process.kill() }
        throw error
      }
    }
    return looked
  }
}
