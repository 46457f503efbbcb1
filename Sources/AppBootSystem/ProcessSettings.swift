import AppBootC
import AppBootLibC

/// The user, the group, the umask and the limits of a new process, and the sockets that it gets.
package struct ProcessSettings: Equatable, Sendable {
  /// The name or the number of the user; `nil` for that of this process.
  package var user: String?
  /// The name or the number of the group; `nil` for the user's own.
  package var group: String?
  /// The umask in octal digits; `nil` for that of this process.
  package var umask: String?
  /// The soft and the hard limits. The largest number is no limit.
  package var limits: [ResourceLimit: UInt64] = [:]
  /// True to pass the sockets of the service manager on (``ServiceManager/socketCount``).
  package var passesSockets = false

  package init() {}

  /// Makes a request start its program with these settings.
  ///
  /// The variables of the user do not replace those of the request.
  package func apply(to request: inout ProcessRequest) throws(ProcessSettingsError) {
    var (setup, variables) = try setup()
    if passesSockets {
      setup.socketCount = ServiceManager.socketCount
      variables.merge(ServiceManager.socketVariables) { $1 }
    }
    if !variables.isEmpty { request.environment = variables.merging(request.environment ?? [:]) { $1 } }
    request.setup = setup == ProcessSetup() ? nil : setup
  }

  #if os(Linux) || os(macOS)

  /// Throws an error if the settings cannot be applied. Tries them with a process that starts no program.
  package func check() throws(ProcessSettingsError) {
    var (setup, _) = try setup()
    guard setup.owner != nil || !setup.limits.isEmpty else { return }
    setup.isTrial = true
    var request = ProcessRequest([], passing: [0, 1, 2])
    request.setup = setup
    do throws(SpawnError) {
      let process = try request.spawn("")
      _ = process.wait()
      process.finish()
    } catch {
      guard !error.isShortage else { return }
      throw .refused(error.description + (limits[.openFiles] == nil ? "" : Self.hardLimitOfFiles))
    }
  }

  #else

  /// Throws an error if there is no such user or group.
  package func check() throws(ProcessSettingsError) { _ = try setup() }

  #endif

  /// The own hard limit of open files, for a message (getrlimit(2)); empty if it is unknown.
  private static var hardLimitOfFiles: String {
    OpenFiles.hardLimit.map { "; the hard limit of this process is \($0) files (ulimit -Hn)" } ?? ""
  }

  /// Returns the changes of the process, and the variables of the user: `HOME`, `USER` and `LOGNAME`.
  private func setup() throws(ProcessSettingsError) -> (setup: ProcessSetup, variables: [String: String]) {
    var setup = ProcessSetup()
    setup.umask = umask.flatMap { Int32($0, radix: 8) }
    setup.limits = limits
    let account = user.flatMap(UserAccount.find)
    var number = account?.user ?? geteuid()
    if let user, account == nil {
      guard let digits = UserAccount.number(user) else { throw .unknownUser(user) }
      number = digits
    }
    var groupNumber = account?.group ?? getegid()
    if let group {
      guard let found = UserAccount.groupNumber(group) else { throw .unknownGroup(group) }
      groupNumber = found
    } else if let user, account == nil, number != geteuid() {
      throw .noGroup(ofUser: user)
    }
    let variables = account.map { ["HOME": $0.home, "USER": $0.name, "LOGNAME": $0.name] } ?? [:]
    guard number != geteuid() || groupNumber != getegid() else { return (setup, variables) }
    guard geteuid() == 0 else { throw .notPermitted(user: user, group: group) }
    setup.owner = UserIdentity(user: number, group: groupNumber)
    // Supplementary groups are those of the user's account.
    if user != nil { setup.groups = account?.groups(besides: groupNumber) ?? [] }
    return (setup, variables)
  }
}

/// An error of a process's user, group or limits.
package enum ProcessSettingsError: Error, Equatable, Sendable {
  /// The machine has no user with this name.
  case unknownUser(String)
  /// The machine has no group with this name.
  case unknownGroup(String)
  /// The user is a number without an account, and has no group.
  case noGroup(ofUser: String)
  /// This process has no right to change its user or group.
  case notPermitted(user: String?, group: String?)
  /// The system refuses the settings. The text is the reason.
  case refused(String)
}

extension ProcessSettingsError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownUser(let user):
      "there is no user \"\(user)\" on this machine: create it, or correct \"user\""
    case .unknownGroup(let group):
      "there is no group \"\(group)\" on this machine: create it, or correct \"group\""
    case .noGroup(let user): "user \(user) has no account on this machine: set \"group\" too"
    case .notPermitted(let user?, _):
      "only root can start a program as user \"\(user)\": start this as root, or remove \"user\""
    case .notPermitted(nil, let group):
      "only root can start a program as group \"\(group ?? "")\": start this as root, or remove \"group\""
    case .refused(let reason): reason
    }
  }
}

/// A limit of a process (`setrlimit`, POSIX).
package enum ResourceLimit: String, Sendable {
  case openFiles, processes, core
}

/// The changes that a new process makes to itself before its program starts.
struct ProcessSetup: Equatable, Sendable {
  private static let starting = Lock(false)

  /// The user and the group; `nil` for those of this process.
  var owner: UserIdentity?
  /// The supplementary groups; `nil` for those of this process.
  var groups: [UInt32]?
  /// The umask; `nil` for that of this process.
  var umask: Int32?
  /// The soft and the hard limits. The largest number is no limit.
  var limits: [ResourceLimit: UInt64] = [:]
  /// The number of open descriptors from 3 that the program inherits.
  var socketCount: Int32 = 0
  /// True to end the process in place of starting a program, because only the changes are tried.
  var isTrial = false
}

#if os(Linux) || os(macOS)

extension ProcessSetup {
  /// A call that failed in the new process, with its `errno` value.
  struct Failure {
    var call: Int
    var code: Int32

    /// The calls besides those for the directory and for the program, in the order of `launcher.h`.
    private static let actions = [
      "start a session", #"set "limits.openFiles""#, #"set "limits.processes""#, #"set "limits.core""#,
      "set the supplementary groups", "set the group", "set the user", "drop the privileges of root",
    ]

    /// The error; `nil` if the directory or the program is its cause.
    var error: SystemError? {
      call < APPBOOT_DIRECTORY ? SystemError(call: Self.actions[call - 1], code: code) : nil
    }

    /// True if the directory does not exist, or if the user may not enter it.
    var isDirectory: Bool { call == APPBOOT_DIRECTORY }
  }

  /// Starts a program, or returns the call that failed. Returns when the program has started.
  ///
  /// - Parameter streams: The descriptors of the standard streams (``SpawnStreams/standard(of:)``).
  func start(
    _ program: String, of request: ProcessRequest, _ streams: [Int32],
    _ arguments: ProcessRequest.TextList, _ environment: ProcessRequest.TextList?, _ process: inout Int32
  ) -> Failure? {
    let errors: (read: Int32, write: Int32)
    do throws(SystemError) {
      errors = try Descriptor.makePipe()
    } catch {
      return Failure(call: APPBOOT_PROGRAM, code: error.code)
    }
    defer { Descriptor.close(errors.read) }
    var launch = appboot_launch()
    (launch.arguments, launch.environment) = (UnsafePointer(arguments), environment.map { UnsafePointer($0) })
    launch.streams = (streams[0], streams[1], streams[2])
    (launch.sockets, launch.errors) = (socketCount, errors.write)
    launch.is_interactive = request.startsInForeground ? 1 : 0
    launch.mask = umask ?? -1
    launch.limits = (limit(.openFiles), limit(.processes), limit(.core))
    if let owner { (launch.has_owner, launch.user, launch.group) = (1, owner.user, owner.group) }
    launch.group_count = groups.map { Int32($0.count) } ?? -1
    let mask = SignalMask.blockAll()
    let child = withText(isTrial ? nil : program) { program in
      withText(request.directory) { directory in
        (groups ?? []).withUnsafeBufferPointer { groups in
          (launch.program, launch.directory, launch.groups) = (program, directory, groups.baseAddress)
          // One after another: a new process shares the memory, whose attributes it and this function change.
          return Self.starting.withLock { _ in appboot_start(&launch) }
        }
      }
    }
    mask.restore()
    Descriptor.close(errors.write)
    guard child > 0 else { return Failure(call: APPBOOT_PROGRAM, code: -child) }
    var failure: (call: Int32, code: Int32) = (0, 0)
    let count = retryingInterrupts { read(errors.read, &failure, MemoryLayout.size(ofValue: failure)) }
    guard count > 0 else {
      process = child
      return nil
    }
    _ = retryingInterrupts { waitpid(child, nil, 0) }
    return Failure(call: Int(failure.call), code: failure.code)
  }

  private func limit(_ limit: ResourceLimit) -> appboot_limit {
    limits[limit].map { appboot_limit(is_set: 1, value: $0) } ?? appboot_limit()
  }

  private func withText<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    text.map { $0.withCString(body) } ?? body(nil)
  }
}

#endif
