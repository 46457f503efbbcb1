public import AppBoot
import AppBootSystem

/// Runs a program to its end, and goes by its exit code.
public struct RunProcess: AsyncCommand {
  /// The name in a manifest; said here, because asking the runtime for it takes time at every launch.
  public static let name = "RunProcess"

  /// What the command does, in one sentence.
  public static let abstract = "Runs a program to its end, and goes by its exit code."

  /// What it goes by and what it leaves behind.
  public static let discussion = """
    The arguments go to the program as they are: no shell reads them. For pipes, variables and patterns \
    run one: ["sh", "-c", "…"]. The program reads nothing (/dev/null), starts in the manifest's directory, \
    and has the environment of this process with the changes in "environment".

    The last 64 KiB that it prints, to standard output and standard error alike, are kept, and the last 20 \
    lines are shown where it fails.

    The program leads a process group of its own. Where the step is told to stop (its timeout, a \
    cancellation, an interrupt) the whole group gets SIGTERM, and SIGKILL where that does not help in time. \
    What the program leaves behind when it ends is killed where the step failed or was stopped; after a \
    success it runs on, and does not keep the step from ending.
    """

  /// The program and its arguments.
  @Parameter(
    "The program and its arguments, each as it is. A program without a slash is looked up in PATH.",
    schema: .nonEmpty(.array(Self.text)))
  public var arguments: [String]

  /// Where the program starts.
  @Parameter(
    "Where the program starts; relative to the manifest's directory, which is the default.",
    schema: .optional(Self.text))
  public var directory: String?

  /// Variables to add to the environment or to replace in it.
  @Parameter(
    "Variables to add to the environment or to replace in it.",
    schema: .dictionary(Self.text, names: .pattern(#"^[^=\x00]+$"#, describedAs: "a variable's name")))
  public var environment: [String: String] = [:]

  /// The exit codes that count as success.
  @Parameter(
    "The exit codes, 0 to 255, that count as success.",
    schema: .nonEmpty(.array(.integer(minimum: 0, maximum: 255))))
  public var expect: [UInt8] = [0]

  /// The system's calls end a text at its first zero byte.
  private static var text: ParameterSchema {
    .pattern(#"^(?![\s\S]*\x00)"#, describedAs: "a string")
  }

  /// Creates the command with its defaults.
  public init() {}

  /// Decodes the command, and checks that there is a program to run and a code to expect.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try ParameterReader.read(decoder) { parameters in
      parameters.read(&_arguments, "arguments")
      parameters.read(&_directory, "directory")
      parameters.read(&_environment, "environment")
      parameters.read(&_expect, "expect")
      if arguments.first?.isEmpty ?? true {
        parameters.refuse("name the program to run as the first item", at: "arguments")
      }
      checkTexts(&parameters)
      if expect.isEmpty { parameters.refuse("list at least one exit code, from 0 to 255", at: "expect") }
    }
  }

  /// The system's calls end a text at its first zero byte, and a variable's name at its first "=".
  private func checkTexts(_ parameters: inout ParameterReader) {
    let problem = "a zero byte ends a text for the system: leave it out"
    for (index, argument) in arguments.enumerated() where argument.utf8.contains(0) {
      parameters.refuse(problem, at: "arguments", .index(index))
    }
    if directory?.utf8.contains(0) == true { parameters.refuse(problem, at: "directory") }
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
      let key = ParameterKey(stringValue: name)
      if name.isEmpty || name.utf8.contains(UInt8(ascii: "=")) || name.utf8.contains(0) {
        parameters.refuse(
          "a variable's name is not empty and holds neither \"=\" nor a zero byte", at: "environment", key)
      }
      if value.utf8.contains(0) { parameters.refuse(problem, at: "environment", key) }
    }
  }

  /// Runs the program.
  ///
  /// - Throws: ``RunProcessError``; `CancellationError` where it was told to stop.
  public func execute(in context: LaunchContext) async throws {
    try await OperationLoop.run(try start(in: context))
  }
}

extension RunProcess: PolledCommand {
  package func start(in context: LaunchContext) throws -> any PolledOperation {
    guard let program = arguments.first else { throw RunProcessError.noProgram }
    let expected = expect.map { Int($0) }
    // Standard output and error share one pipe, which keeps the order of the lines.
    let record: @Sendable (String) -> Void = { context.output($0, stream: nil) }
    do {
      return try ProcessOperation(request(from: context.directory), onLine: record) { end, output in
        if case .exited(let code) = end, expected.contains(Int(code)) {
          context.note("exit \(code)")
          return .success(())
        }
        return .failure(RunProcessError(end, of: program, expected: expected, output: output))
      }
    } catch {
      throw RunProcessError(error, directory: directory)
    }
  }

  private func request(from base: String) -> ProcessRequest {
    let place = directory.map { FileSystem.join(base, $0) } ?? base
    return ProcessRequest(
      arguments, directory: place == "." ? nil : place, environment: environment.isEmpty ? nil : environment,
      captureOutput: true)
  }
}
