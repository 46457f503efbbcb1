#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The memory of other processes.
package enum ProcessMemory {
  /// Returns the bytes of resident memory of a process and its descendants; `nil` if it has ended.
  ///
  /// Pages that they share count for each of them (`/proc/PID/statm`, proc(5)). Always `nil` on Darwin.
  package static func resident(ofTree process: Int32) -> Int64? {
    #if os(Linux)
    guard let own = resident(of: process) else { return nil }
    let descendants = Descendants.of(process, in: ProcessEntry.all())
    return descendants.reduce(own) { $0 + (resident(of: $1.process) ?? 0) }
    #else
    return nil
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
