import AppBootSystem

/// The facts about a record's origin: the tool that wrote it and the machine.
package struct RecordHeader: Sendable, Hashable {
  /// A tool and its version.
  package struct Tool: Sendable, Hashable {
    /// The tool's name.
    package var name: String
    /// The tool's version.
    package var version: String

    /// Creates a tool.
    package init(name: String, version: String) {
      self.name = name
      self.version = version
    }
  }

  /// The machine that a launch ran on, with the facts that explain a measurement.
  package struct Host: Sendable, Hashable {
    /// The kernel's name, such as `Linux` or `Darwin`.
    package var system: String
    /// The kernel's release.
    package var release: String
    /// The hardware, such as `x86_64` or `arm64`.
    package var architecture: String
    /// The processor's name, if the system reports it.
    package var processor: String?
    /// The number of processors that were online.
    package var cores: Int

    /// Creates a host.
    package init(system: String, release: String, architecture: String, processor: String?, cores: Int) {
      self.system = system
      self.release = release
      self.architecture = architecture
      self.processor = processor
      self.cores = cores
    }

    /// Returns this machine; asks the system, so it is not used on the launch path.
    package static func current() -> Host {
      let host = AppBootSystem.Host.current()
      return Host(
        system: host.system, release: host.release, architecture: host.architecture,
        processor: AppBootSystem.Host.processorModel(), cores: AppBootSystem.Host.processorCount)
    }
  }

  /// The tool that wrote the record.
  package var tool: Tool?
  /// The machine that the launch ran on.
  package var host: Host?
  /// The CPU times of the calibration runs around the launch, in nanoseconds; `check` measures them.
  package var calibrations: [Int64] = []

  /// Creates a header.
  package init(tool: Tool? = nil, host: Host? = nil, calibrations: [Int64] = []) {
    self.tool = tool
    self.host = host
    self.calibrations = calibrations
  }
}
