import AppBootLibC

extension Host {
  /// Returns the name and the release of the kernel, and the processor architecture, for example `Linux`, `6.18.44` and
  /// `x86_64` (`uname`, POSIX).
  package static func kernel() -> (system: String, release: String, architecture: String) {
    var name = utsname()
    guard uname(&name) == 0 else { return (platform, "", "") }
    return (text(&name.sysname), text(&name.release), text(&name.machine))
  }

  /// Returns the name of the processor (`/proc/cpuinfo` on Linux, `sysctl` on Darwin); `nil` if the system does not
  /// have it.
  package static func processorModel() -> String? {
    #if canImport(Darwin)
    var size = 0
    guard sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0) == 0, size > 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    guard sysctlbyname("machdep.cpu.brand_string", &bytes, &size, nil, 0) == 0 else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
    // The first lines name the first processor. Reading the whole file is slow.
    return (try? FileSystem.readStart(of: "/proc/cpuinfo", limit: 1024)).flatMap(processorModel(inCPUInfo:))
    #endif
  }

  /// Returns the first `model name` in the content of `/proc/cpuinfo`; `nil` if there is none, as on many ARM systems.
  package static func processorModel(inCPUInfo bytes: [UInt8]) -> String? {
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: "model name".utf8) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      return String(decoding: line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }
    return nil
  }

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

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

extension Host {
  /// The name of this machine (`gethostname`, POSIX); `nil` if it has none.
  package static var name: String? {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0, bytes[0] != 0 else { return nil }
    return bytes.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// A namespace for a function that measures the memory of other processes.
package enum ProcessMemory {
  /// Returns the bytes of resident memory of each process together with its descendants, by process identifier.
  ///
  /// Processes that have ended are left out. A page that processes share counts once for each (`/proc/PID/statm`,
  /// proc(5)). The result is empty on Darwin.
  package static func resident(ofTrees processes: [Int32]) -> [Int32: Int64] {
    #if os(Linux)
    guard !processes.isEmpty else { return [:] }
    let entries = ProcessEntry.all()
    return processes.reduce(into: [:]) { sizes, process in
      guard let own = resident(of: process) else { return }
      let descendants = Descendants.of(process, in: entries)
      sizes[process] = descendants.reduce(own) { $0 + (resident(of: $1.process) ?? 0) }
    }
    #else
    return [:]
    #endif
  }

  #if os(Linux)
  private static func resident(of process: Int32) -> Int64? {
    guard let bytes = try? FileSystem.readStart(of: "/proc/\(process)/statm", limit: 128) else { return nil }
    let numbers = bytes.split(separator: UInt8(ascii: " "))
    guard numbers.count > 1, let pages = Int64(String(decoding: numbers[1], as: UTF8.self)) else {
      return nil
    }
    return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }
  #endif
}
