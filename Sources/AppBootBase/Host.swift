import AppBootLibC

/// A namespace for facts about this process and its machine.
package enum Host {
  /// This process's identifier (`getpid`, POSIX).
  package static var processIdentifier: Int32 { getpid() }

  /// The number of online processors, at least 1 (`sysconf`).
  package static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The number of processors that this process may use, at least 1.
  ///
  /// On Linux it is the size of the main thread's affinity mask, which `taskset` and a container's CPU set restrict. A
  /// CPU quota does not change it. On other systems it is `processorCount`.
  package static var usableProcessorCount: Int {
    #if os(Linux)
    // Room for 8,192 processors, as many as Linux can have.
    let count = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { mask in
      mask.initialize(repeating: 0)
      guard linuxAffinity(getpid(), mask.count * 8, mask.baseAddress) == 0 else { return 0 }
      return mask.reduce(0) { $0 + $1.nonzeroBitCount }
    }
    if count > 0 { return count }
    #endif
    return processorCount
  }

  /// The platform for which this code was built: `linux`, `macos`, `ios`, `tvos`, `watchos`, `visionos` or `other`.
  package static var platform: String {
    #if os(Linux)
    "linux"
    #elseif os(macOS)
    "macos"
    #elseif os(iOS)
    "ios"
    #elseif os(tvOS)
    "tvos"
    #elseif os(watchOS)
    "watchos"
    #elseif os(visionOS)
    "visionos"
    #else
    "other"
    #endif
  }
}

/// A namespace for functions about this process's environment variables. Invalid UTF-8 is replaced by U+FFFD.
package enum ProcessEnvironment {
  /// Returns the value of a variable; `nil` if it is not set (`getenv`, POSIX).
  package static func value(of name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }

  /// Returns all variables. If a name occurs twice, the first value counts, as for `getenv`.
  package static func all() -> [String: String] {
    var variables: [String: String] = [:]
    forEach { entry in
      let entry = String(cString: entry)
      guard let equals = entry.utf8.firstIndex(of: UInt8(ascii: "=")) else { return }
      let name = String(entry[..<equals])
      if variables[name] == nil { variables[name] = String(entry[entry.utf8.index(after: equals)...]) }
    }
    return variables
  }

  /// Calls `body` with each `NAME=value` entry. The entries are in the system's memory.
  package static func forEach(_ body: (UnsafeMutablePointer<CChar>) -> Void) {
    guard var entry = block else { return }
    while let text = entry.pointee {
      body(text)
      entry += 1
    }
  }

  /// The array `environ`, in the form that a call which starts a program needs.
  package static var block: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    #if canImport(Darwin)
    _NSGetEnviron().pointee
    #else
    environ
    #endif
  }
}

// C functions of Linux that Swift's Glibc module lacks: it is built without `_GNU_SOURCE`. Declaring them by symbol
// needs no C target and no look-up at run time. Every parameter is an integer or a pointer, for which Swift's calling
// convention equals C's on all supported platforms.
#if os(Linux)

/// The function sched_getaffinity(2) of the C library. It returns 0, or -1 with `errno`.
@_silgen_name("sched_getaffinity")
func linuxAffinity(_ process: Int32, _ size: Int, _ mask: UnsafeMutableRawPointer?) -> Int32

/// The function gettid(2), which glibc 2.30 and musl 1.2 added.
@_silgen_name("gettid")
func linuxThread() -> Int32

/// The function pthread_setname_np(3).
@_silgen_name("pthread_setname_np")
func linuxSetThreadName(_ thread: pthread_t, _ name: UnsafePointer<CChar>) -> Int32

#endif

/// An error of a call to the operating system.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The action that failed, as a verb that fits after "cannot", for example `open`, `write` or `create directory`.
  package let call: String
  /// The path of the file; `nil` if the call has no file.
  package let path: String?
  /// The `errno` value.
  package let code: Int32
  /// The reason why a file is not trusted, with the correction; `nil` for an error of the system.
  private let distrust: String?

  package init(call: String, path: String? = nil, code: Int32, distrust: String? = nil) {
    self.call = call
    self.path = path
    self.code = code
    self.distrust = distrust
  }

  /// Returns the error of the last call on this thread that failed, from `errno`.
  package static func last(_ call: String, _ path: String? = nil) -> SystemError {
    SystemError(call: call, path: path, code: errno)
  }

  package var description: String {
    guard let path else { return "cannot \(call): \(reason)" }
    return "cannot \(call) \"\(path)\": \(reason)"
  }

  /// The system's message for the code, for example `permission denied`.
  package var reason: String { distrust ?? SystemError.message(for: code) }

  /// A Boolean that is true if another user may have created or changed the file, or if it is a link or a pipe.
  package var isDistrust: Bool { distrust != nil }

  /// A Boolean that is true if a file, or a directory in its path, does not exist.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// Returns the system's message for an `errno` value. It begins in lower case (`strerror_r`, POSIX).
  package static func message(for code: Int32) -> String {
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> String in
      guard let start = buffer.baseAddress else { return "" }
      start.initialize(repeating: 0, count: 256)
      guard strerror_r(code, start, 255) == 0 else { return "" }
      return String(cString: start)
    }
    guard let first = text.first else { return "error \(code)" }
    let rest = text.dropFirst()
    return rest.first?.isUppercase == true ? text : first.lowercased() + rest
  }
}

/// Repeats a call while signals interrupt it (`EINTR`, POSIX).
@inline(__always)
package func retryingInterrupts<Result: FixedWidthInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// An error of a start that may succeed later.
package protocol ShortageError: Error {
  /// A Boolean that is true if nothing was started, because there are as many processes or open descriptors as the
  /// system allows.
  var isShortage: Bool { get }
}

/// The decision to try a start again after a ``ShortageError``.
///
/// Running work frees processes and descriptors when it ends. Without running work, another thread may hold some of
/// them for a moment.
package struct ShortageRetry: Sendable {
  /// The nanoseconds between two attempts.
  package static let pause: Int64 = 10_000_000
  private static let mostIdleAttempts = 10
  private var idleAttempts = 0

  package init() {}

  /// Returns true if the start is to be tried again after a pause: always while work runs, else at most ten times in a
  /// row.
  package mutating func isWorthwhile(isBusy: Bool) -> Bool {
    idleAttempts = isBusy ? 0 : idleAttempts + 1
    return idleAttempts <= Self.mostIdleAttempts
  }
}
