import AppBootLibC

/// A check for a debugger of this process.
package enum Debugger {
  /// A Boolean that is true if a debugger is attached now. It is false if the system does not say.
  ///
  /// It reads `TracerPid` in `/proc/self/status` on Linux (proc(5)), and `P_TRACED` with `sysctl` on Darwin (Apple's
  /// QA1361).
  package static var isAttached: Bool {
    #if canImport(Darwin)
    var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
    var info = kinfo_proc()
    var size = MemoryLayout<kinfo_proc>.stride
    guard sysctl(&name, UInt32(name.count), &info, &size, nil, 0) == 0 else { return false }
    return info.kp_proc.p_flag & P_TRACED != 0
    #else
    // TracerPid is among the first ten lines.
    (try? FileSystem.readStart(of: "/proc/self/status", limit: 1024)).map(isTraced(status:)) ?? false
    #endif
  }

  /// Returns whether the content of a file `/proc/PID/status` has the identifier of a tracer.
  private static func isTraced(status: [UInt8]) -> Bool {
    for line in status.split(separator: UInt8(ascii: "\n")) where line.starts(with: "TracerPid:".utf8) {
      return line.dropFirst(10).contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    }
    return false
  }
}
