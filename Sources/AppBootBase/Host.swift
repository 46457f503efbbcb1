import AppBootLibC

/// The machine on which this process runs. Measurements record it.
package struct Host: Equatable, Sendable {
  /// The name of the kernel, for example `Linux` or `Darwin`.
  package let system: String
  /// The release of the kernel, for example `6.18.44`.
  package let release: String
  /// The processor architecture, for example `x86_64` or `arm64`.
  package let architecture: String

  /// Returns the facts about this machine (`uname`, POSIX).
  package static func current() -> Host {
    var name = utsname()
    guard uname(&name) == 0 else { return Host(system: platform, release: "", architecture: "") }
    return Host(
      system: text(&name.sysname), release: text(&name.release), architecture: text(&name.machine))
  }

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
    guard let file = fopen("/proc/cpuinfo", "re") else { return nil }
    defer { fclose(file) }
    // The first lines name the first processor. Reading the whole file is slow.
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    return processorModel(inCPUInfo: Array(bytes.prefix(count)))
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

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
