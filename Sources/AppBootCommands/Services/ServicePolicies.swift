public import AppBoot
import AppBootRecords
import AppBootSystem

/// The rules for restarting a service that ended after it was ready.
public struct RestartPolicy: ParameterGroup {
  /// The kinds of end after which a service is restarted.
  public enum Condition: String, CaseIterable, ParameterValue {
    /// No restart.
    case never
    /// A restart after an exit code other than 0, after a signal, and after an error of a service in Swift.
    case onFailure
    /// A restart after every end.
    case always
  }

  private static let allowed = 1...1_000_000

  /// The ends after which the service is restarted; `nil` for none.
  @Parameter("When it is restarted: onFailure (an exit code other than 0, or a signal), always or never.")
  public var when: Condition?

  /// The ids of services before this one. After a restart of one of them, this service is restarted too.
  @Parameter(
    "The ids of services before it: when one of them was restarted and is ready again, this one is restarted.",
    schema: .optional(.nonEmpty(.array(.string))))
  public var with: [String]?

  /// The maximum number of restarts in a row.
  @Parameter(
    "The most restarts in a row.",
    schema: .integer(minimum: Int64(allowed.lowerBound), maximum: UInt64(allowed.upperBound)))
  public var attempts: Int = 5

  /// The pause before the first restart. It doubles before each further one.
  @Parameter("The wait before the first restart; doubled before each further one.")
  public var backoff: Duration = .milliseconds(500)

  /// The maximum pause before a restart.
  @Parameter("The longest wait before a restart.")
  public var maxBackoff: Duration = .seconds(30)

  /// The time for which a service must be ready so that the count of restarts in a row begins again at 0.
  @Parameter("After this time ready, the count of restarts begins again.")
  public var resetAfter: Duration = .seconds(60)

  /// Creates a policy that never restarts a service.
  public init() {}

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - when: The ends after which the service is restarted.
  ///   - attempts: The maximum number of restarts in a row.
  ///   - backoff: The pause before the first restart. It doubles before each further one.
  ///   - services: The ids of services before this one, with which it is restarted; `nil` for none.
  public init(
    _ when: Condition = .never, attempts: Int = 5, backoff: Duration = .milliseconds(500),
    with services: [String]? = nil
  ) {
    (self.when, self.attempts, self.backoff, with) = (when, attempts, backoff, services)
  }

  /// A policy that restarts a service after a failure, with the default limits.
  public static var onFailure: RestartPolicy { RestartPolicy(.onFailure) }

  /// A policy that restarts a service after every end, with the default limits.
  public static var always: RestartPolicy { RestartPolicy(.always) }

  /// Rejects a policy without a condition, a number or a wait that is out of range, and ids of no service before it.
  public func validate(_ validation: inout ParameterValidation) {
    if when == nil, with == nil, validation.isReadable("when"), validation.isReadable("with") {
      validation.reject("give \"when\" or \"with\", or both")
    }
    if with?.isEmpty == true { validation.reject("name at least one service", at: "with") }
    for (index, id) in (with ?? []).enumerated() {
      validation.require(id, at: ["with", .index(index)], need: .service)
      let isFirst = with?.firstIndex(of: id) == index
      if !isFirst { validation.reject("name each service once", at: "with", .index(index)) }
    }
    if backoff > maxBackoff, validation.isReadable("backoff"), validation.isReadable("maxBackoff") {
      let most = DurationText.exact(maxBackoff)
      validation.reject("must not be longer than \"maxBackoff\", which is \(most): set both", at: "backoff")
    }
    validation.check(attempts, isIn: Self.allowed, at: ["attempts"])
  }
}

extension RestartPolicy: ParameterChoice {
  package static var isExclusive: Bool { false }

  package static var shared: [String] { ["attempts", "backoff", "maxBackoff", "resetAfter"] }

  var condition: Condition { when ?? .never }

  /// Returns the reason why a service is not restarted when no restart is left.
  ///
  /// - Parameters:
  ///   - count: The number of restarts in the row.
  ///   - time: The nanoseconds since the first end in the row.
  func exhaustion(of count: Int, in time: Int64) -> String {
    let words = count == 1 ? "1 restart" : "\(count) restarts"
    return "after \(words) in \(DurationText.brief(nanoseconds: time)), \"restart.attempts\" allows no more"
  }
}

/// The signal that asks a program to stop, and the grace period until it is killed.
public struct StopPolicy: ParameterGroup {
  /// A program that stops a service before the signal, with its arguments. By default only the signal is sent.
  @Parameter(
    "Only for a service: a program that runs before the signal, with its arguments. MAINPID has the process id.",
    schema: .optional(ProbeCondition.argumentsSchema))
  public var command: [String]?

  /// The signal that asks the program to stop.
  @Parameter(
    "The signal that asks the program to stop, for example TERM, INT or QUIT.",
    schema: .pattern("^[A-Za-z]", describedAs: "the name of a signal such as \"TERM\""))
  public var signal = "TERM"

  /// The grace period after which the program is killed with SIGKILL; `nil` for 10 s for a service, and for the grace
  /// period of the launch, 2 s, for another step.
  @Parameter("The time after which SIGKILL ends it. Default: 10s for a service, 2s for another step.")
  public var grace: Duration?

  /// Creates the policy with its defaults.
  public init() {}

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - signal: The name of the signal that asks the program to stop, for example "INT".
  ///   - grace: The time after which SIGKILL ends the program; `nil` for the default.
  ///   - command: A program that stops a service before the signal, with its arguments.
  public init(signal: String = "TERM", grace: Duration? = nil, command: [String]? = nil) {
    (self.signal, self.grace, self.command) = (signal, grace, command)
  }

  /// Rejects an unknown signal, STOP, which no process can handle, and an invalid program.
  public func validate(_ validation: inout ParameterValidation) {
    if let command, let problem = ProbeCondition.command(command).problem() {
      validation.reject(problem, at: "command")
    }
    if let number = Signals.number(named: signal) {
      if number == Signals.stop {
        validation.reject("STOP only suspends a process: write TERM, INT or QUIT", at: "signal")
      }
      return
    }
    let closest = ClosestName.to(signal, among: Signals.shortNames).map { "did you mean \"\($0)\"?" }
    let advice = closest ?? "write the name of one, such as TERM, INT or QUIT"
    validation.reject("\"\(signal.excerpt)\" is not a signal: \(advice)", at: "signal")
  }

  var number: Int32 { Signals.number(named: signal) ?? Signals.terminate }

  /// The grace period of a service.
  var serviceGrace: Duration { grace ?? .seconds(10) }
}

/// The effect on the other services if a service ends after it was ready and is not restarted, for either kind of end.
public struct ServiceExitRule: ParameterGroup {
  /// The effect of an end with an exit code of `expect`, or of a ``ServiceCommand`` that returned; `nil` for the
  /// effect of a failure.
  @Parameter("The effect of an end with an exit code in \"expect\". Default: the effect of a failure.")
  public var success: ServiceExitPolicy?

  /// The effect of an end with another exit code or by a signal, or of a ``ServiceCommand`` that threw an error.
  @Parameter("The effect of an end with another exit code, or by a signal.")
  public var failure = ServiceExitPolicy.fail

  /// All services stop, and the tool exits with 1.
  public static var fail: Self { Self(failure: .fail) }
  /// The other services continue to run.
  public static var ignore: Self { Self(failure: .ignore) }
  /// All services stop, and the tool exits with 0.
  public static var finish: Self { Self(failure: .finish) }

  /// Creates the default: every end is a failure of the app.
  public init() {}

  /// Creates a rule.
  ///
  /// - Parameter success: The effect of a success; `nil` for the effect of a failure.
  public init(success: ServiceExitPolicy? = nil, failure: ServiceExitPolicy) {
    (self.success, self.failure) = (success, failure)
  }
}

extension ServiceExitRule {
  /// The rule of a service that starts again after the next change of its files: its failure does not end the app.
  var whileWatched: Self {
    let effect = { (policy: ServiceExitPolicy) in policy == .fail ? ServiceExitPolicy.ignore : policy }
    return Self(success: success.map(effect), failure: effect(failure))
  }

  /// An object, or one effect for every end.
  public static var parameterType: ParameterType<ServiceExitRule> { parameterType(orOnly: "failure") }
}

/// The effect on the other services if a service ends after it was ready and is not restarted.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ServiceExitPolicy: String, CaseIterable, ParameterValue {
  /// All services stop, and the tool exits with 1. A ``ServiceRunner`` throws ``ServiceFailed``.
  case fail
  /// The other services continue to run.
  case ignore
  /// All services stop, and the tool exits with 0.
  case finish
}

/// An error of a service that could not start or did not become ready.
enum ServiceError: Error, Sendable, CustomStringConvertible {
  /// The launch has no host that keeps services running.
  case noHost
  /// All services stop, because the app ends.
  case stopping
  /// The task of an earlier start ignores its cancellation.
  case stillRuns
  /// An earlier start of the service is `starting` or `stopping`.
  case busy(ServiceState)
  /// The process ended. `end` says how and when.
  ///
  /// `output` is the end of its output. `cause` is what may have ended it, in a sentence; it is `nil` if nothing is
  /// known.
  case ended(program: String, end: String, output: String, cause: String? = nil)
  /// The service can never become ready. The text is the reason.
  case neverReady(String)
  /// The service could not be stopped. The text is the reason.
  case notStopped(String)
  /// An event handler started the service, or its entry is no longer a service.
  case otherPlan

  /// Returns the cause of an end with a descendant that still ran, for example `redis-server (process 42)`.
  static func becameDaemon(_ descendant: String) -> String {
    "\(descendant), which it started, still ran: it became a daemon. Run it in the foreground, for example "
      + "`redis-server --daemonize no`"
  }

  /// Returns the cause of an end with a process that listens at the service's port and may be its descendant.
  static func mayBeDaemon(_ listener: String) -> String {
    "\(listener) listens on the same port: if the service became a daemon, run it in the foreground, for example "
      + "`redis-server --daemonize no`"
  }

  var description: String {
    switch self {
    case .noHost:
      "this launch does not keep services running: use `appboot run`, a ServiceRunner or a LifecycleHost"
    case .stopping: "it did not start, because \(ServiceAnswer.stopping)"
    case .stillRuns: "it did not start a second time, because \(ServiceAnswer.abandoned)"
    case .busy(let state): "it did not start a second time, because it is \(state.rawValue)"
    case .ended(let program, let end, let output, let cause):
      "\"\(program)\" \(end)\(RunProcessError.shown(output))\(cause.map { "\n\($0)" } ?? "")"
    case .neverReady(let reason): reason
    case .otherPlan: "its entry cannot be read again: restart the app"
    case .notStopped(let reason): "it did not stop: \(reason)"
    }
  }
}

extension RestartPolicy {
  /// An object, or the value of `when`.
  public static var parameterType: ParameterType<RestartPolicy> { parameterType(orOnly: "when") }
}
