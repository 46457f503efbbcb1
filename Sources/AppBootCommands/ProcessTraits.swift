public import AppBoot
import AppBootSystem

/// The parameters of a process for its user, group, umask, limits and environment.
struct ProcessTraits {
  let user: String?
  let group: String?
  let umask: String?
  let limits: ProcessLimits
  let inheritsEnvironment: Bool
  let passesSockets: Bool

  /// Rejects an empty user or group, and a umask that is not octal.
  func validate(_ validation: inout ParameterValidation) {
    for (name, value) in [("user", user), ("group", group)] {
      guard let value else { continue }
      if value.isEmpty || value.utf8.contains(0) {
        validation.reject("give a name or a number", at: .key(name))
      }
      validation.checkProcess(value, at: [.key(name)])
    }
    guard let umask else { return }
    let digits = umask.count == 4 && umask.hasPrefix("0") ? umask.dropFirst() : umask[...]
    if digits.count != 3 || !digits.allSatisfy("01234567".contains) {
      validation.reject("must be a umask such as \"027\"", at: "umask")
    }
  }

  /// Makes a request start its program with these traits.
  func apply(to request: inout ProcessRequest, in context: LaunchContext) throws {
    if !inheritsEnvironment {
      request.inheritsEnvironment = false
      let path = context.environment("PATH").map { ["PATH": $0] } ?? [:]
      request.environment = path.merging(request.environment ?? [:]) { $1 }
    }
    try settings(in: context)?.apply(to: &request)
  }

  /// Throws an error if the program cannot run as the user, in the group or with the limits.
  ///
  /// Does nothing while a placeholder has no value, because the step that provides it has not run.
  func check(in context: LaunchContext) throws {
    do {
      try settings(in: context)?.check()
    } catch is PlaceholderError {}
  }

  /// Returns the settings with placeholders replaced; `nil` if the program runs as this process does.
  private func settings(in context: LaunchContext) throws -> ProcessSettings? {
    var settings = ProcessSettings()
    let fill = { (text: String) in try ProcessText.value(of: text, in: context) }
    settings.user = try user.map(fill)
    settings.group = try group.map(fill)
    (settings.umask, settings.limits, settings.passesSockets) = (umask, limits.options, passesSockets)
    return settings == ProcessSettings() ? nil : settings
  }
}

extension ProcessSettingsError: MissingPrecondition {}

/// The limits of a process (`setrlimit`, POSIX). A limit that is `nil` is inherited.
public struct ProcessLimits: ParameterGroup {
  /// The maximum number of open files and sockets.
  @Parameter("The most open files and sockets.")
  public var openFiles: ProcessLimit?

  /// The maximum number of processes and threads of the user.
  @Parameter("The most processes and threads of its user.")
  public var processes: ProcessLimit?

  /// The maximum size of a core file in bytes; 0 for no core file.
  @Parameter("The largest core file in bytes; 0 for none.")
  public var core: ProcessLimit?

  /// The number of files with which a program can open its libraries.
  private static let leastOpenFiles: UInt64 = 4

  /// Creates limits that are all inherited.
  public init() {}

  /// Rejects a limit with which a program cannot open its libraries.
  public func validate(_ validation: inout ParameterValidation) {
    guard case .number(let number)? = openFiles, number < Self.leastOpenFiles else { return }
    let reason = "a program starts with three open files, and opens its libraries one at a time"
    validation.reject("must be at least \(Self.leastOpenFiles): \(reason)", at: "openFiles")
  }

  /// The options of `prlimit`, which set the soft and the hard limit.
  var options: [String] {
    [("nofile", openFiles), ("nproc", processes), ("core", core)].compactMap { name, limit in
      limit.map { "--\(name)=\($0)" }
    }
  }
}

/// A limit of a process: a number, or no limit.
public enum ProcessLimit: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The limit is a number.
  case number(UInt64)
  /// There is no limit.
  case unlimited

  /// Creates a limit that is a number.
  public init(integerLiteral value: UInt64) { self = .number(value) }

  /// The limit as in a manifest.
  public var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .unlimited: "unlimited"
    }
  }
}

extension ProcessLimit: ParameterValue {
  /// A whole number, or the text "unlimited".
  public static var parameterType: ParameterType<ProcessLimit> {
    let schema = ParameterSchema.anyOf([.integer(minimum: 0, maximum: .max), .enumeration(["unlimited"])])
    return ParameterType(schema, placeholder: .unlimited) { json, _ in
      json.isString("unlimited") ? .unlimited : (try? json.integer()).map { .number($0) }
    }
  }
}
