import AppBootLibC

/// The watcher: a shell that kills the processes of the steps if the process of the launch is killed.
///
/// ```
/// shell ─ appboot ─┬─ watcher
///                  └─ processes of the steps
/// ```
///
/// `appboot` writes each process group that it starts, and each that has ended, to a pipe. Only `appboot` has that end
/// of the pipe, so the pipe closes when `appboot` crashes. The watcher then kills each group that has not ended. On
/// Linux it also kills the processes that left their group, which it finds by an environment variable.
package enum GroupWatcher {
  /// The environment variable whose value is the id of the launch that started a process.
  package static let launchVariable = "APPBOOT_LAUNCH"

  // A stopped process cannot start another one, so the groups do not grow while they are killed. The search of /proc is
  // repeated: a process has its variables only once its program has begun, and may start another one.
  private static let script = #"""
    # Kills the processes of appboot if it is killed.
    trap '' HUP INT QUIT ALRM TERM USR1 USR2 TSTP TTIN TTOU
    groups=' ' launches=
    while read -r line; do
      case $line in
        launch*) launches="$launches ${line#launch }" ;;
        -*)
          group=${line#-}
          case $groups in *" $group "*) groups="${groups%% $group *} ${groups#* $group }" ;; esac ;;
        *) groups="$groups$line " ;;
      esac
    done
    for signal in STOP KILL; do
      for group in $groups; do kill -s $signal -- -$group; done
    done
    for round in 0 1 2 3 4 5 6 7 8 9; do
      for launch in $launches; do
        for file in $(grep -lszxF "\#(launchVariable)=$launch" /proc/[0-9]*/environ); do
          file=${file#/proc/}
          kill -s KILL "${file%/environ}"
        done
      done
      sleep 0.02
    done
    """#

  /// Returns the request for a watcher that reads from a pipe.
  ///
  /// Its lines are `GROUP`, `-GROUP` at the end of a group, and `launch ID`.
  static func request(reading pipe: Int32) -> ProcessRequest {
    // The script is not an argument, so lists of processes show the name only.
    var request = ProcessRequest(["/bin/sh", "-c", #"eval "$script""#, "appboot-watcher"], passing: [pipe])
    request.directory = "/"
    // Without the variable of a launch, the watcher does not find and kill itself.
    request.inheritsEnvironment = false
    request.environment = ["PATH": "/usr/bin:/bin", "script": script]
    return request
  }

  #if os(Linux) || os(macOS)

  /// Starts the watcher, unless there is one.
  package static func start() throws(SpawnError) {
    if messages.withLock({ $0 != nil }) { return }
    let pipe: (read: Int32, write: Int32)
    do throws(SystemError) { pipe = try Descriptor.makePipe() } catch { throw .other(error) }
    defer { Descriptor.close(pipe.read) }
    Descriptor.setNonBlocking(pipe.write)
    do throws(SpawnError) {
      let watcher = try request(reading: pipe.read).start()
      messages.withLock { $0 = Messages(pipe: pipe.write, watcher: watcher) }
    } catch {
      Descriptor.close(pipe.write)
      throw error
    }
  }

  #else

  /// Does nothing, because this platform does not allow starting programs.
  package static func start() throws(SpawnError) {}

  #endif

  /// The identifier of the watcher; `nil` without one.
  static var process: Int32? { messages.withLock { $0?.watcher.processIdentifier } }

  /// Ends the watcher. The processes of the launch continue to run.
  package static func end() {
    let ended = messages.withLock { messages in
      defer { messages = nil }
      return messages
    }
    guard let ended else { return }
    ended.watcher.killGroup(SIGKILL)
    _ = ended.watcher.wait()
    ended.watcher.finish()
    // Not before: the watcher must not see the end of its input.
    Descriptor.close(ended.pipe)
  }

  /// Adds the id of the launch that is about to start a process.
  static func insert(launch: String?) {
    // A step can set its own value. Reject one that could add lines to the protocol.
    let isPlain: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
    guard let launch, !launch.isEmpty, launch.allSatisfy(isPlain) else { return }
    messages.withLock { messages in
      if messages?.launches.insert(launch).inserted == true { messages?.send("launch \(launch)") }
    }
  }

  /// Adds the group of a process that was just started.
  static func insert(_ group: Int32) { send("\(group)") }

  /// Removes a group. Call it before the process is reaped: afterwards the system can reuse its identifier.
  static func remove(_ group: Int32) { send("-\(group)") }

  private static func send(_ line: String) {
    messages.withLock { $0?.send(line) }
  }
}

/// The pipe to the watcher; `nil` without one.
private let messages = Lock<Messages?>(nil)

/// The messages to the watcher.
private struct Messages: Sendable {
  let pipe: Int32
  let watcher: Subprocess
  /// The launches that were sent.
  var launches: Set<String> = []
  /// The messages that did not fit into the pipe, because the watcher is stopped.
  private var unsent: [UInt8] = []

  init(pipe: Int32, watcher: Subprocess) {
    (self.pipe, self.watcher) = (pipe, watcher)
  }

  mutating func send(_ line: String) {
    unsent += Array(line.utf8) + [UInt8(ascii: "\n")]
    while !unsent.isEmpty {
      let count = retryingInterrupts { write(pipe, unsent, unsent.count) }
      // Without its reader, the pipe takes no message, and none is needed.
      if count < 0, errno != EAGAIN { unsent.removeAll() }
      if count < 0 { return }
      unsent.removeFirst(count)
    }
  }
}
