import AppBootC
import AppBootLibC

/// The read ends of a process's captured output. An end that is closed or does not exist is -1.
typealias OutputPipes = PerStream<Int32>

extension OutputPipes {
  init() { self.init(-1) }

  /// The ends that are open.
  var descriptors: [Int32] { CapturedStream.allCases.map { self[$0] }.filter { $0 >= 0 } }

  mutating func close() {
    for stream in CapturedStream.allCases {
      Descriptor.close(self[stream])
      self[stream] = -1
    }
  }
}

#if os(Linux) || os(macOS)

/// The pipe of all programs whose standard input must not end.
private enum EndlessInput {
  private static let pipe = try? Descriptor.makePipe()

  /// Returns a new descriptor for the read end. The write end stays open until this process ends.
  static func copy() throws(SystemError) -> Int32 {
    let copy = fcntl(pipe?.read ?? -1, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .last("open a pipe for standard input") }
    return copy
  }
}

/// The standard descriptors of a new process, and the read ends of its output. An unused descriptor is -1.
struct SpawnStreams {
  private(set) var childInput: Int32 = -1
  private(set) var childOutput: Int32 = -1
  private(set) var childErrors: Int32 = -1
  private(set) var pipes = OutputPipes()

  init(_ request: ProcessRequest) throws(SpawnError) {
    guard request.passing == nil else { return }
    do throws(SystemError) {
      if let input = request.standardInput {
        childInput = try Self.fileHolding(input)
      } else if request.hasEndlessInput {
        childInput = try EndlessInput.copy()
      }
      if request.captureOutput {
        (pipes[.output], childOutput) = try Descriptor.makePipe()
        Descriptor.setNonBlocking(pipes[.output])
        if request.separatesErrors {
          (pipes[.errors], childErrors) = try Descriptor.makePipe()
          Descriptor.setNonBlocking(pipes[.errors])
        }
      }
    } catch {
      closeChildEnds()
      pipes.close()
      throw .other(error)
    }
  }

  /// Returns the descriptors that become 0, 1 and 2 of the program: -1 is `/dev/null`, and its own number keeps one.
  func standard(of request: ProcessRequest) -> [Int32] {
    if let passing = request.passing { return Array((passing + [-1, -1, -1]).prefix(3)) }
    let output = childOutput >= 0 ? childOutput : 1
    return [childInput, output, childErrors >= 0 ? childErrors : childOutput >= 0 ? childOutput : 2]
  }

  mutating func closeChildEnds() {
    Descriptor.close(childInput)
    Descriptor.close(childOutput)
    Descriptor.close(childErrors)
    childInput = -1
    childOutput = -1
    childErrors = -1
  }

  /// Creates an unnamed file with the bytes, positioned at its start. Unlike a pipe, it needs no reader.
  private static func fileHolding(_ bytes: [UInt8]) throws(SystemError) -> Int32 {
    let descriptor = try Descriptor.aboveStandard(try unnamedFile())
    do throws(SystemError) {
      try FileSystem.writeAll(descriptor, bytes, path: nil)
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last("prepare standard input") }
    } catch {
      Descriptor.close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func unnamedFile() throws(SystemError) -> Int32 {
    #if os(Linux)
    let memory = appboot_memfd_create("appboot-stdin", 1)  // MFD_CLOEXEC (memfd_create(2))
    if memory >= 0 { return memory }
    #endif
    var template = FileSystem.temporaryTemplate(prefix: "appboot")
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw .last("create a file in", FileSystem.temporaryDirectory) }
    Descriptor.setCloseOnExec(descriptor)
    unlink(template)
    return descriptor
  }
}

/// The actions in a new process before its program starts.
struct SpawnActions {
  #if os(Linux)
  typealias Storage = posix_spawn_file_actions_t
  #else
  typealias Storage = posix_spawn_file_actions_t?
  #endif

  let pointer = UnsafeMutablePointer<Storage>.allocate(capacity: 1)

  /// - Parameter streams: The descriptors of the standard streams (``SpawnStreams/standard(of:)``).
  init(_ streams: [Int32], _ request: ProcessRequest) {
    #if os(Linux)
    pointer.initialize(to: posix_spawn_file_actions_t())
    #else
    pointer.initialize(to: nil)
    #endif
    posix_spawn_file_actions_init(pointer)
    if let directory = request.directory { changeDirectory(directory) }
    for place in 0..<3 as Range<Int32> {
      let descriptor = streams[Int(place)]
      if descriptor < 0 {
        posix_spawn_file_actions_addopen(pointer, place, "/dev/null", place == 0 ? O_RDONLY : O_RDWR, 0)
      } else if descriptor != place {
        posix_spawn_file_actions_adddup2(pointer, descriptor, place)
      }
    }
    if request.startsInForeground { bringToForeground() }
  }

  func destroy() {
    posix_spawn_file_actions_destroy(pointer)
    pointer.deallocate()
  }

  private func bringToForeground() {
    #if canImport(Glibc)
    _ = linuxAddForeground?(pointer, 0)
    #endif
  }

  private func changeDirectory(_ directory: String) {
    #if os(Linux)
    _ = appboot_addchdir(pointer, directory)
    #else
    posix_spawn_file_actions_addchdir_np(pointer, directory)
    #endif
  }
}

/// The attributes of all new processes. They are prepared once.
///
/// `@unchecked Sendable`: after `init` the memory is only read.
final class SpawnAttributes: @unchecked Sendable {
  #if os(Linux)
  typealias Storage = posix_spawnattr_t
  #else
  typealias Storage = posix_spawnattr_t?
  #endif

  static let shared = SpawnAttributes()

  let pointer = UnsafeMutablePointer<Storage>.allocate(capacity: 1)

  private init() {
    #if os(Linux)
    pointer.initialize(to: posix_spawnattr_t())
    #else
    pointer.initialize(to: nil)
    #endif
    posix_spawnattr_init(pointer)
    posix_spawnattr_setpgroup(pointer, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(pointer, &signals)
    // Name all signals: glibc needs one system call for each signal that is not named here.
    sigfillset(&signals)
    sigdelset(&signals, SIGKILL)
    sigdelset(&signals, SIGSTOP)
    posix_spawnattr_setsigdefault(pointer, &signals)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(pointer, Int16(truncatingIfNeeded: flags))
    // With an inherited, ignored SIGCHLD every exit code would be lost (waitid, POSIX).
    if Signals.isIgnored(SIGCHLD) { Signals.restoreDefault(SIGCHLD) }
  }
}

#endif
