import AppBoot
import AppBootSystem

/// A set of checks that compare this machine with requirements. Each returns an error message for an unmet requirement.
struct EnvironmentFacts {
  let context: LaunchContext

  /// The result of looking for a program.
  enum Program: Sendable {
    case found
    case missing(String)
    case asked(ProgramVersionCheck)
  }

  /// Looks for a program, and returns it as missing or found.
  ///
  /// If a version is required, starts the program to print its version, and returns it as asked.
  ///
  /// - Throws: ``EnvironmentShortage`` if the system allows no further process or descriptor now.
  func look(_ program: RequiredProgram) throws(EnvironmentShortage) -> Program {
    let searchPath = context.environment("PATH")
    do throws(SpawnError) {
      try ProgramSearch.check(program.name, searchPath: searchPath, from: context.directory)
      guard let version = program.version else { return .found }
      let request = ProcessRequest(
        [program.name] + program.versionArguments, of: context,
        adding: searchPath.map { ["PATH": $0] } ?? [:])
      return .asked(ProgramVersionCheck(program, version, try ProbeProcess(request)))
    } catch {
      let advice = "install it, or add its directory to PATH"
      switch error {
      case .programNotFound(_, let searched) where searched.isEmpty:
        return .missing("there is no program \"\(program.name)\": \(program.hint ?? advice)")
      case .programNotFound: return .missing("\"\(program.name)\" is not in PATH: \(program.hint ?? advice)")
      case .notExecutable(let path):
        return .missing(
          "\"\(path)\" is not executable: \(program.hint ?? "give it the permission (chmod +x)")")
      case .other(let cause) where cause.isShortage:
        let start = RunProcessError.notStarted(error, arguments: [], directory: nil)
        throw EnvironmentShortage(description: "the version of \"\(program.name)\" is unknown: \(start)")
      case .interpreterNotFound, .carriageReturn, .badDirectory, .unwatchable, .other:
        return .missing("\"\(program.name)\" cannot be started: \(program.hint ?? error.description)")
      }
    }
  }

  func problem(with variable: RequiredVariable) -> String? {
    guard let value = context.environment(variable.name), !value.isEmpty else {
      return "the variable \(variable.name) is not set: \(variable.hint ?? "set it")"
    }
    guard let pattern = variable.pattern, let expression = try? SearchExpression(pattern) else { return nil }
    switch expression.matches(value) {
    case true?: return nil
    case false?:
      let advice = variable.hint ?? "correct its value"
      return "the variable \(variable.name) does not match \"\(pattern)\": \(advice)"
    case nil:
      return "the variable \(variable.name) has more than \(expression.longestText) bytes, too many for "
        + "\"\(pattern)\": use a simpler pattern, or none"
    }
  }

  func problem(with file: RequiredFile) -> String? {
    guard !FileSystem.exists(FileSystem.join(context.directory, file.path)) else { return nil }
    return "there is no file \"\(file.path)\": \(file.hint ?? "create it")"
  }

  func problem(withPort required: RequiredPort) -> String? {
    let port: UInt16
    do {
      port = try required.number(in: context)
    } catch {
      return "a port in \"ports\" is not valid: \(error)"
    }
    do throws(SystemError) {
      try SocketListener.checkFree(port)
      return nil
    } catch {
      if error.isAddressInUse { return "port \(port) is in use: end the program that listens on it" }
      return "port \(port) cannot be used (\(error.reason)): choose another port"
    }
  }

  func problem(with space: RequiredSpace) -> String? {
    let advice = space.hint ?? "delete files, or choose another file system"
    do throws(SystemError) {
      let free = try FileSystem.freeSpace(at: FileSystem.join(context.directory, space.path))
      guard free < space.free.bytes else { return nil }
      return
        "\(ByteSize(bytes: free).brief) are free at \"\(space.path)\", and \(space.free.brief) are needed: \(advice)"
    } catch {
      return "the free space at \"\(space.path)\" is unknown: \(error.reason)"
    }
  }

  func problem(withMemory needed: ByteSize) -> String? {
    let memory = ByteSize(bytes: Host.memory)
    guard memory.bytes < needed.bytes else { return nil }
    return "\(memory.brief) of memory are there, and \(needed.brief) are needed: use a larger machine, "
      + "or raise the container's limit"
  }

  func problem(with systems: OneOrMore<OperatingSystem>) -> String? {
    let names = systems.values.map(\.rawValue)
    guard !names.contains(Host.platform) else { return nil }
    return "the system is \(Host.platform): use \(names.joined(separator: " or "))"
  }

  func problem(with architectures: OneOrMore<String>) -> String? {
    let current = Host.kernel().architecture
    guard !architectures.values.contains(where: { Self.normal($0) == Self.normal(current) }) else {
      return nil
    }
    return "the architecture is \(current): use \(architectures.values.joined(separator: " or "))"
  }

  /// Returns the usual name of an architecture, for example `arm64` for `aarch64`.
  private static func normal(_ name: String) -> String {
    switch name.lowercased() {
    case "amd64", "x64", "x86-64": "x86_64"
    case "aarch64": "arm64"
    case let other: other
    }
  }
}
