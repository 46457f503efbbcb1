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
