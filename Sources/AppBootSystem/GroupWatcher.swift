import AppBootLibC

/// The watcher: a shell that kills the processes of the steps if the process of the launch is killed.
///
/// ```
/// shell ─ appboot ─┬─ watcher
///                  └─ processes of the steps
/// ```
///
/// `appboot` writes each process group that it starts, and each that has ended, to a pipe. Only `appboot` has that end
/// of the pipe, so the pipe closes when `appboot` ends. The watcher then kills each group that has not ended. On Linux
/// it also kills the processes that left their group, which it knows by a variable of their environment.
package enum GroupWatcher {
  /// The environment variable whose value is the launch of a process.
  package static let launchVariable = "APPBOOT_LAUNCH"

  /// The line that a process writes when it ends as it should. Other lines are `GROUP LAUNCH`, and `-GROUP` at the end
  /// of a group.
  private static let lastLine = "end"

  // A stopped process cannot start another one, so the groups do not grow while they are killed. A search of /proc is
  // repeated, because a process may start another one before it is killed.
  private static let script = #"""
    # Kills the processes of appboot if it is killed.
    trap '' HUP INT QUIT ALRM TERM USR1 USR2 TSTP TTIN TTOU
    groups=' ' launches=' '
    while read -r group launch; do
      case $group in
        \#(lastLine)) exit ;;
        -*)
          group=${group#-}
          case $groups in *" $group "*) groups="${groups%% $group *} ${groups#* $group }" ;; esac ;;
        *)
          groups="$groups$group "
          case $launches in *" $launch "*) ;; *) launches="$launches$launch " ;; esac ;;
      esac
    done
    for signal in STOP KILL; do
      for group in $groups; do kill -s $signal -- -$group; done
    done
    for launch in $launches; do
      for round in 0 1 2 3 4 5 6 7 8 9; do
        found=$(grep -lszxF "\#(launchVariable)=$launch" /proc/[0-9]*/environ)
        [ "$found" ] || break
        for file in $found; do file=${file#/proc/}; kill -s KILL "${file%/environ}"; done
      done
    done
    """#

  /// Returns the request for a watcher that reads from a pipe.
  static func request(reading pipe: Int32) -> ProcessRequest {
    var request = ProcessRequest(["/bin/sh", "-c", script], passing: [pipe])
    request.directory = "/"
    // Its environment must not be that of a process of a launch.
    request.inheritsEnvironment = false
    request.environment = ["PATH": "/usr/bin:/bin"]
    return request
  }

  #if os(Linux) || os(macOS)

  /// Starts the watcher.
  package static func start() throws(SpawnError) {
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

  /// Asks the watcher to end without killing a process. Returns it; `nil` if there is none.
  @discardableResult
  package static func end() -> Subprocess? {
    messages.withLock { messages in
      defer { messages = nil }
      messages?.send(lastLine)
      Descriptor.close(messages?.pipe ?? -1)
      return messages?.watcher
    }
  }

  /// Adds the group of a process that was just started.
  ///
  /// - Parameter launch: The launch of the process; `nil` if it does not belong to one.
  static func insert(_ group: Int32, launch: String?) { send("\(group) \(launch ?? "-")") }

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
