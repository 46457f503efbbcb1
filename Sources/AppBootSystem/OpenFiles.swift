import AppBootLibC

/// A namespace for functions about the limit on open descriptors of this process and its children.
package enum OpenFiles {
  #if canImport(Glibc)
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
  private static let resource = RLIMIT_NOFILE
  #endif

  /// Raises the soft limit to `count`, or to the hard limit if that is lower (`setrlimit`, POSIX). Never lowers it.
  package static func allow(_ count: Int) {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return }
    let before = limit.rlim_cur
    inherited.withLock { $0 = $0 ?? before }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
    _ = setrlimit(resource, &limit)
  }

  /// The hard limit; `nil` if it is unknown.
  package static var hardLimit: UInt64? {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? UInt64(limit.rlim_max) : nil
  }

  /// Throws an error if the hard limit is below 12. libdispatch, which runs asynchronous commands, crashes without
  /// descriptors.
  package static func requireEnough() throws(SystemError) {
    guard let hardLimit, hardLimit < 12 else { return }
    throw SystemError(call: "start a launch with a limit (`ulimit -n`) below 12", code: EMFILE)
  }

  /// Restores the soft limit with which this process was started.
  package static func restore() {
    var limit = rlimit()
    guard let before = inherited.withLock(\.self), getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = before
    _ = setrlimit(resource, &limit)
  }

  /// The soft limit before it was raised; `nil` if it was not raised.
  private static let inherited = Lock<rlim_t?>(nil)
}
