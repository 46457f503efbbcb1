import AppBootLibC

#if os(Linux) || os(macOS)

extension ProcessRequest {
  /// Starts the program in a new process group (`posix_spawn`, POSIX).
  ///
  /// In the program no signal is blocked, and each signal has its default action.
  package func start() throws(SpawnError) -> Subprocess {
    guard let name = arguments.first else {
      throw .programNotFound("", searched: [])
    }
    var searchPath = environment?["PATH"] ?? ProgramSearch.path
    var request = self
    if isHelper {
      searchPath = ProgramSearch.helperPath(of: searchPath)
      request.environment = (environment ?? [:]).merging(["PATH": searchPath]) { $1 }
    }
    return try request.spawn(try ProgramSearch.find(name, searchPath: searchPath, from: directory))
  }

  /// Starts the program at a path.
  func spawn(_ program: String) throws(SpawnError) -> Subprocess {
    var streams = try SpawnStreams(self)
    defer { streams.closeChildEnds() }
    let standard = streams.standard(of: self)
    let actions = setup == nil ? SpawnActions(standard, self) : nil
    defer { actions?.destroy() }
    let attributes = SpawnAttributes.shared.pointer
    var failure: ProcessSetup.Failure?
    GroupWatcher.insert(launch: environment?[GroupWatcher.launchVariable])
    var process: Int32 = 0
    let code = retryingBusyFiles {
      withArguments { arguments in
        withEnvironment { environment in
          OwnChildren.insert(&process) { process in
            if let actions {
              return posix_spawn(
                &process, program, actions.pointer, attributes, arguments, environment)
            }
            failure = setup?.start(program, of: self, standard, arguments, environment, &process)
            return failure?.code ?? 0
          }
        }
      }
    }
    guard code == 0 else {
      var pipes = streams.pipes
      pipes.close()
      throw explain(code, program, failure)
    }
    return Subprocess(processIdentifier: process, pipes: streams.pipes)
  }

  /// Starts a program. While its file counts as open for writing (`ETXTBSY`), retries for at most 50 ms.
  ///
  /// A file that was just written does so while another thread starts a program: until its exec, that child shares all
  /// descriptors.
  private func retryingBusyFiles(_ spawn: () -> Int32) -> Int32 {
    for _ in 0..<50 {
      let code = spawn()
      if code != ETXTBSY { return code }
      poll(nil, 0, 1)
    }
    return spawn()
  }

  /// Returns the error for an `errno` value. It may be about the directory, the file or the interpreter of a script.
  ///
  /// - Parameter failure: The call that failed in the new process; `nil` if it is unknown.
  func explain(_ code: Int32, _ program: String, _ failure: ProcessSetup.Failure? = nil) -> SpawnError {
    if let error = failure?.error { return .other(error) }
    if let directory, failure?.isDirectory == true {
      return .badDirectory(directory, SystemError(call: "enter", path: directory, code: code))
    }
    if let directory, let problem = problem(withDirectory: directory) {
      return .badDirectory(directory, problem)
    }
    let path = directory.map { FileSystem.join($0, program) } ?? program
    switch code {
    case ENOENT, ENOTDIR:
      guard FileSystem.exists(path) else { return .programNotFound(program, searched: []) }
      let device = "/dev/null"
      guard FileSystem.exists(device) else {
        return .other(SystemError(call: "start \"\(program)\" without the device", path: device, code: code))
      }
      let start = (try? FileSystem.readStart(of: path, limit: 256)) ?? []
      let endsInCarriageReturn = start.prefix { $0 != UInt8(ascii: "\n") }.last == UInt8(ascii: "\r")
      return endsInCarriageReturn ? .carriageReturn(program) : .interpreterNotFound(program)
    case EACCES where FileSystem.isDirectory(path):
      return .other(SystemError(call: "start", path: program, code: EISDIR))
    case EACCES, ENOEXEC, EISDIR: return .notExecutable(program)
    default: return .other(SystemError(call: "start", path: program, code: code))
    }
  }

  private func problem(withDirectory directory: String) -> SystemError? {
    guard FileSystem.exists(directory) else {
      return SystemError(call: "enter", path: directory, code: ENOENT)
    }
    guard FileSystem.isDirectory(directory) else {
      return SystemError(call: "enter", path: directory, code: ENOTDIR)
    }
    return access(directory, X_OK) == 0 ? nil : .last("enter", directory)
  }

  // MARK: Memory for the call

  typealias TextList = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// Calls `body` with the arguments as a null-terminated list of C strings.
  func withArguments(_ body: (TextList) -> Int32) -> Int32 {
    withTextList(arguments, body)
  }

  private func withEnvironment(_ body: (TextList?) -> Int32) -> Int32 {
    if environment == nil, inheritsEnvironment { return body(ProcessEnvironment.block) }
    var environment = environment ?? [:]
    // Room for the identifier of the process.
    if let setup, setup.socketCount > 0 { environment["LISTEN_PID"] = "0000000000" }
    let changes = environment.map { "\($0.key)=\($0.value)" }
    return withTextList(changes, inherited: inheritsEnvironment ? unchanged(by: environment) : [], body)
  }

  /// Returns those entries of `environ` that no change replaces. They are not copied.
  private func unchanged(by changes: [String: String]) -> [UnsafeMutablePointer<CChar>] {
    var entries: [UnsafeMutablePointer<CChar>] = []
    ProcessEnvironment.forEach { entry in
      let length = strchr(entry, Int32(UInt8(ascii: "="))).map { $0 - entry } ?? strlen(entry)
      let bytes = UnsafeRawBufferPointer(start: entry, count: length)
      let name = String(decoding: bytes, as: UTF8.self)
      if changes[name] == nil, !removedVariables.contains(name) { entries.append(entry) }
    }
    return entries
  }

  private func withTextList(
    _ texts: [String], inherited: [UnsafeMutablePointer<CChar>] = [], _ body: (TextList) -> Int32
  ) -> Int32 {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    guard !copies.contains(nil) else { return ENOMEM }
    var list = copies + inherited + [nil]
    return list.withUnsafeMutableBufferPointer { $0.baseAddress.map(body) ?? ENOMEM }
  }
}

#else

extension ProcessRequest {
  /// Throws an error, because this platform does not allow starting programs.
  package func start() throws(SpawnError) -> Subprocess {
    throw .other(SystemError(call: "start a program", path: arguments.first, code: ENOTSUP))
  }
}

#endif

extension ProcessRequest {
  /// Starts the program. Also returns a descriptor that is readable when it ends (``Subprocess/exitDescriptor()``).
  ///
  /// If the descriptor cannot be opened for 50 ms, kills and reaps the program, and throws the error. Another thread
  /// that starts a program has two more descriptors for a moment.
  package func startWatched() throws(SpawnError) -> (process: Subprocess, exitDescriptor: Int32) {
    let process = try start()
    var attempts = 50
    while true {
      do throws(SystemError) {
        return (process, try process.exitDescriptor())
      } catch {
        attempts -= 1
        if error.isShortage, attempts > 0 {
          poll(nil, 0, 1)
          continue
        }
        process.killGroup(Signals.kill)
        _ = process.wait()
        process.finish()
        throw .unwatchable(error)
      }
    }
  }
}
