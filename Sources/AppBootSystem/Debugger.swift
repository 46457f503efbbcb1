#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Whether somebody traces this process.
package enum Debugger {
  /// Whether a debugger is attached now: `TracerPid` in `/proc/self/status` (proc(5)) on Linux, `P_TRACED` from
  /// `sysctl` on Darwin (Apple's QA1361). False where the system does not say.
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

  /// Whether a `/proc/PID/status` names a tracer.
  package static func isTraced(status: [UInt8]) -> Bool {
    for line in status.split(separator: UInt8(ascii: "\n")) where line.starts(with: "TracerPid:".utf8) {
      return line.dropFirst(10).contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    }
    return false
  }
}
