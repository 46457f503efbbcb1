import AppBootSystem
import AppBootTestSupport

/// Returns whether a process that was killed has ended; gives it a minute for it.
func isGone(_ process: Int32) -> Bool {
  // A signal takes effect when its target next runs; until then the process still exists.
  Patience.wait { !Signals.send(0, to: process) || isZombie(process) }
}

private func isZombie(_ process: Int32) -> Bool {
  guard let bytes = try? FileSystem.readFile("/proc/\(process)/stat") else { return false }
  return String(decoding: bytes, as: UTF8.self).contains(") Z ")
}
