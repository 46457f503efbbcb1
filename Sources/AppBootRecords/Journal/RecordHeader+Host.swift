package import AppBoot
import AppBootSystem

private typealias Machine = Host

extension RecordHeader.Host {
  /// Returns the facts about this machine. It makes system calls.
  package static func current() -> Self {
    let kernel = Machine.kernel()
    return Self(
      system: kernel.system, release: kernel.release, architecture: kernel.architecture,
      processor: Machine.processorModel(), cores: Machine.processorCount)
  }
}
