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
