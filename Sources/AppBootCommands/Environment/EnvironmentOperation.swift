import AppBoot
import AppBootSystem

/// A check of one program's version. The program has been started to print it.
struct ProgramVersionCheck: Sendable {
  /// The nanoseconds that a program may take to print its version.
  static let limit: Int64 = 5_000_000_000

  let process: ProbeProcess
  private let program: RequiredProgram
  private let requirement: VersionRequirement

  init(_ program: RequiredProgram, _ requirement: VersionRequirement, _ process: ProbeProcess) {
    (self.program, self.requirement, self.process) = (program, requirement, process)
  }

  private var call: String { ([program.name] + program.versionArguments).joined(separator: " ") }

  /// The error message for a program that did not end in time.
  var lateProblem: String {
    "the version of \"\(program.name)\" is unknown, because `\(call)` did not end within 5s: "
      + (program.hint ?? "see if it waits for something")
  }

  /// Returns an error message if the version that the program printed is missing or does not fit; `nil` if it fits.
  func problem() -> String? {
    guard let version = VersionRequirement.version(in: String(decoding: process.output, as: UTF8.self)) else {
      return "the version of \"\(program.name)\" is unknown, because `\(call)` printed no number: "
        + (program.hint ?? "name the right arguments in \"versionArguments\"")
    }
    guard !requirement.fits(version) else { return nil }
    let found = version.map(String.init).joined(separator: ".")
    return "\"\(program.name)\" has version \(found), and \(requirement.text) is needed: "
      + (program.hint ?? "install a version that fits")
  }
}

/// The operation of `CheckEnvironment`. It waits until the started programs have printed their versions.
final class EnvironmentOperation: PolledOperation {
  fileprivate struct State: Sendable {
    var programs: [EnvironmentFacts.Program]
    var isStopped = false
    var due: Int64
  }

  private let start = MonotonicClock.now()
  private let state: Lock<State>
  private let others: [String]
  private let onSuccess: @Sendable () -> Void

  /// Creates the operation.
  ///
  /// - Parameters:
  ///   - programs: The programs, found, missing or asked for their version.
  ///   - findings: The error messages of the other checks.
  init(
    _ programs: [EnvironmentFacts.Program], besides findings: [String],
    onSuccess: @escaping @Sendable () -> Void
  ) {
    state = Lock(State(programs: programs, due: MonotonicClock.now()))
    others = findings
    self.onSuccess = onSuccess
  }

  var descriptors: [Int32] { [] }
  var nextDeadline: Int64? { state.withLock { $0.isStopped ? 0 : $0.due } }

  func advance() -> Result<Void, any Error>? {
    let time = MonotonicClock.now()
    let (findings, isStopped) = state.withLock { state -> ([String]?, Bool) in
      if state.isStopped { return (nil, true) }
      for index in state.programs.indices {
        if let result = Self.end(of: state.programs[index], isLate: time - start >= ProgramVersionCheck.limit)
        {
          state.programs[index] = result
        }
      }
      state.due = time + ProbePace.local.look(after: time - start)
      return (state.findings, false)
    }
    if isStopped { return .failure(CancellationError()) }
    guard let findings else { return nil }
    let all = findings + others
    guard all.isEmpty else { return .failure(EnvironmentError(findings: all)) }
    onSuccess()
    return .success(())
  }

  func release() {}

  func stop(isForced: Bool) {
    state.withLock { state in
      state.isStopped = true
      for case .asked(let check) in state.programs { check.process.kill() }
      state.programs = []
    }
  }

  /// Returns the result of a version check that has ended. Kills a late program, which counts as missing.
  ///
  /// Returns `nil` if the program still runs, or if its version was not asked for.
  private static func end(of program: EnvironmentFacts.Program, isLate: Bool) -> EnvironmentFacts.Program? {
    guard case .asked(let check) = program else { return nil }
    if check.process.advance() != nil { return check.problem().map { .missing($0) } ?? .found }
    guard isLate else { return nil }
    check.process.kill()
    return .missing(check.lateProblem)
  }
}

extension EnvironmentOperation.State {
  /// The error messages about programs, in the order of the manifest; `nil` while a program has not printed its
  /// version.
  fileprivate var findings: [String]? {
    var findings: [String] = []
    for program in programs {
      switch program {
      case .found: continue
      case .missing(let text): findings.append(text)
      case .asked: return nil
      }
    }
    return findings
  }
}

/// An error of a program that cannot be started now to print its version. The step waits if another step runs.
struct EnvironmentShortage: ShortageError, MissingPrecondition, Hashable, CustomStringConvertible {
  let description: String
  var isShortage: Bool { true }
}

/// The error of a failed `CheckEnvironment`, with a message for each unmet requirement.
struct EnvironmentError: MissingPrecondition, Hashable, CustomStringConvertible {
  let findings: [String]

  /// The error message: the only finding, or a heading and a line for each finding.
  var description: String {
    guard findings.count > 1 else { return findings.first ?? "" }
    return "\(findings.count) things are missing:" + findings.map { "\n  \($0)" }.joined()
  }
}
