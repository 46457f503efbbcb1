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
    let status = (try? FileSystem.readStart(of: "/proc/self/status", limit: 1024)) ?? []
    return String(decoding: status, as: UTF8.self).split(separator: "\n").contains { line in
      line.hasPrefix("TracerPid:") && line.contains { ("1"..."9").contains($0) }
    }
    #endif
  }
}
