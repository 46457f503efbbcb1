import AppBootLibC

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
