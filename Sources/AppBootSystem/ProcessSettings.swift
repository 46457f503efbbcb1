import AppBootLibC

/// The user, the group, the umask and the limits of a new process, and the sockets that it gets.
///
/// Programs of the machine set them: `sh`, `prlimit` and `setpriv`. Each executes the next one in its place, so that
/// the program has the process identifier of the first.
package struct ProcessSettings: Equatable, Sendable {
  /// The name or the number of the user; `nil` for that of this process.
  package var user: String?
  /// The name or the number of the group; `nil` for the user's own.
  package var group: String?
  /// The umask in octal digits; `nil` for that of this process.
  package var umask: String?
  /// The limits as options of `prlimit`, for example `--nofile=1024`.
  package var limits: [String] = []
  /// True to pass the sockets of the service manager on (``ServiceManager/socketCount``).
  package var passesSockets = false

  package init() {}

  /// The programs before the program itself, with their options.
  struct Launcher: Equatable {
    var arguments: [String] = []
    /// The path of the last program that changes a right; `nil` if none does.
    var lastTool: String?
    /// The variables of the user: `HOME`, `USER` and `LOGNAME`.
    var variables: [String: String] = [:]
    var owner: UserIdentity?
  }

  /// Makes a request start its program with these settings.
  ///
  /// The variables of the user do not replace those of the request.
  package func apply(to request: inout ProcessRequest) throws(ProcessSettingsError) {
    let launcher = try launcher()
    (request.launcher, request.owner) = (launcher.arguments, launcher.owner)
    var variables = launcher.variables
    if passesSockets { variables.merge(ServiceManager.socketVariables) { $1 } }
    if !variables.isEmpty { request.environment = variables.merging(request.environment ?? [:]) { $1 } }
    request.socketCount = passesSockets ? ServiceManager.socketCount : 0
  }

  /// Throws an error if the settings cannot be applied. Tries them with a program that changes nothing.
  package func check() throws(ProcessSettingsError) {
    let launcher = try launcher()
    guard let tool = launcher.lastTool else { return }
    let request = ProcessRequest(launcher.arguments + [tool, "--version"], captureOutput: true)
    guard let process = try? request.start() else { return }
    let end = process.wait()
    var output: [UInt8] = []
    _ = process.readOutput { output += $0 }
    process.finish()
    guard end != .exited(0) else { return }
    let text = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).first
    let reason = text.map { String($0) } ?? end.words
    throw .refused(keys: keys, reason: reason + (reason.contains("NOFILE") ? Self.hardLimitOfFiles : ""))
  }

  /// The keys of a manifest that set the user, the group and the limits.
  private var keys: [String] {
    [("user", user != nil), ("group", group != nil), ("limits", !limits.isEmpty)].compactMap { $1 ? $0 : nil }
  }

  /// The own hard limit of open files, for a message (getrlimit(2)); empty if it is unknown.
  private static var hardLimitOfFiles: String {
    OpenFiles.hardLimit.map { "; the hard limit of this process is \($0) files (ulimit -Hn)" } ?? ""
  }

  func launcher() throws(ProcessSettingsError) -> Launcher {
    var launcher = Launcher()
    var script: [String] = []
    if let umask { script.append("umask \(umask)") }
    // The program has the shell's process identifier.
    if passesSockets, ServiceManager.socketCount > 0 { script.append("LISTEN_PID=$$; export LISTEN_PID") }
    if !script.isEmpty {
      launcher.arguments += ["/bin/sh", "-c", (script + ["exec \"$@\""]).joined(separator: "; "), "sh"]
    }
    if !limits.isEmpty { try launcher.add("prlimit", limits) }
    try addIdentity(to: &launcher)
    return launcher
  }

  private func addIdentity(to launcher: inout Launcher) throws(ProcessSettingsError) {
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
    if let account {
      launcher.variables = ["HOME": account.home, "USER": account.name, "LOGNAME": account.name]
    }
    guard number != geteuid() || groupNumber != getegid() else { return }
    guard geteuid() == 0 else { throw .notPermitted(user: user, group: group) }
    launcher.owner = UserIdentity(user: number, group: groupNumber)
    // Supplementary groups are those of the user's account.
    let supplementary = user == nil ? "--keep-groups" : account == nil ? "--clear-groups" : "--init-groups"
    try launcher.add("setpriv", ["--reuid", "\(number)", "--regid", "\(groupNumber)", supplementary])
  }
}

extension ProcessSettings.Launcher {
  fileprivate mutating func add(_ tool: String, _ options: [String]) throws(ProcessSettingsError) {
    guard let path = try? ProgramSearch.find(tool, searchPath: ProgramSearch.path, from: nil) else {
      throw .noTool(tool)
    }
    arguments += [path] + options + ["--"]
    lastTool = path
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
  /// The program that changes the user, the group or the limits is not in `PATH`.
  case noTool(String)
  /// The system refuses the settings of some keys. The reason is the message of the program that tried.
  case refused(keys: [String], reason: String)
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
    case .noTool(let tool):
      "\"\(tool)\" is not in PATH, and sets \(tool == "prlimit" ? "\"limits\"" : "\"user\" and \"group\""): "
        + "install it (util-linux)"
    case .refused(let keys, let reason):
      "the system refuses \(keys.map { "\"\($0)\"" }.joined(separator: " or ")): \(reason)"
    }
  }
}
