import AppBootSystem

/// The facts about a record's origin: the tool that wrote it and the machine.
public struct RecordHeader: Sendable, Hashable {
  /// A tool and its version.
  public struct Tool: Sendable, Hashable {
    /// The tool's name.
    public var name: String
    /// The tool's version.
    public var version: String

    /// Creates a tool.
    public init(name: String, version: String) {
      self.name = name
      self.version = version
    }
  }

  /// The machine that a launch ran on, with the facts that explain a measurement.
  public struct Host: Sendable, Hashable {
    /// The kernel's name, such as `Linux` or `Darwin`.
    public var system: String
    /// The kernel's release.
    public var release: String
    /// The hardware, such as `x86_64` or `arm64`.
    public var architecture: String
    /// The processor's name, if the system reports it.
    public var processor: String?
    /// The number of processors that were online.
    public var cores: Int

    /// Creates a host.
    public init(system: String, release: String, architecture: String, processor: String?, cores: Int) {
      self.system = system
      self.release = release
      self.architecture = architecture
      self.processor = processor
      self.cores = cores
    }

    /// Returns this machine; asks the system, so it is not used on the launch path.
    public static func current() -> Host {
      let host = AppBootSystem.Host.current()
      return Host(
        system: host.system, release: host.release, architecture: host.architecture,
        processor: AppBootSystem.Host.processorModel(), cores: AppBootSystem.Host.processorCount)
    }
  }

  /// The tool that wrote the record.
  public var tool: Tool?
  /// The machine that the launch ran on.
  public var host: Host?
  /// The CPU times of the calibration runs around the launch, in nanoseconds; `check` measures them.
  public var calibrations: [Int64] = []

  /// Creates a header.
  public init(tool: Tool? = nil, host: Host? = nil, calibrations: [Int64] = []) {
    self.tool = tool
    self.host = host
    self.calibrations = calibrations
  }
}
