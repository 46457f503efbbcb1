import AppBootLibC

extension Host {
  /// The number of bytes of memory that this process may use: all of the machine's, or the limit of its container.
  package static var memory: Int64 {
    #if canImport(Darwin)
    var bytes: UInt64 = 0
    var size = MemoryLayout<UInt64>.size
    return sysctlbyname("hw.memsize", &bytes, &size, nil, 0) == 0 ? Int64(clamping: bytes) : 0
    #else
    let bytes = Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    // Inside of a container its own control group is at the top (cgroup_namespaces(7)); version 2, then version 1.
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"].compactMap {
      path in
      (try? FileSystem.readStart(of: path, limit: 64)).flatMap { bytes in
        Int64(String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self))
      }
    }
    return min(bytes, limits.min() ?? .max)
    #endif
  }
}
