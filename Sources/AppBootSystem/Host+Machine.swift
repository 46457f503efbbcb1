import AppBootLibC

extension Host {
  /// Returns whether a process exists (`kill`, POSIX).
  package static func isRunning(_ process: Int32) -> Bool {
    process > 0 && (kill(process, 0) == 0 || errno == EPERM)
  }

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

/// The memory and the CPU time of a process together with its descendants.
package struct ProcessUsage: Sendable, Equatable {
  /// The bytes of resident memory. A page that processes share counts once for each (`/proc/PID/statm`, proc(5)).
  package private(set) var memory: Int64
  /// The nanoseconds of CPU time, with those of children that were reaped.
  package private(set) var cpu: Int64

  /// Returns the usage of descendants of this process, by process identifier.
  ///
  /// Processes that have ended are left out. The result is empty on Darwin.
  package static func ofTrees(_ processes: [Int32]) -> [Int32: ProcessUsage] {
    #if os(Linux)
    guard !processes.isEmpty else { return [:] }
    let entries = ProcessEntry.descendants()
    return processes.reduce(into: [:]) { usages, process in
      guard var usage = ProcessUsage(of: process) else { return }
      for descendant in Descendants.of(process, in: entries) {
        guard let more = ProcessUsage(of: descendant.process) else { continue }
        usage.memory += more.memory
        usage.cpu += more.cpu
      }
      usages[process] = usage
    }
    #else
    return [:]
    #endif
  }

  #if os(Linux)
  private init?(of process: Int32) {
    // After the name, which is field 2 of `stat`: the times in ticks are the fields 14 to 17 (proc(5)).
    guard let bytes = try? FileSystem.readStart(of: "/proc/\(process)/statm", limit: 128),
      let stat = try? FileSystem.readStart(of: "/proc/\(process)/stat", limit: 512),
      let name = stat.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let pages = Self.numbers(bytes[...])
    let times = Self.numbers(stat[name...]).dropFirst(12).prefix(4)
    guard pages.count > 1, times.count == 4 else { return nil }
    memory = pages[1] * Int64(sysconf(Int32(_SC_PAGESIZE)))
    cpu = times.reduce(0, +) * (1_000_000_000 / max(1, Int64(sysconf(Int32(_SC_CLK_TCK)))))
  }

  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int64] {
    bytes.split(separator: UInt8(ascii: " ")).map { Int64(String(decoding: $0, as: UTF8.self)) ?? 0 }
  }
  #endif
}
