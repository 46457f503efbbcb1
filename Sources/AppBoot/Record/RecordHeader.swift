import AppBootSystem

/// What a record says of its making beside the launch itself: the tool that wrote it and the machine.
public struct RecordHeader: Sendable, Hashable {
  /// A tool and its version.
  public struct Tool: Sendable, Hashable {
    /// The tool's name.
    public var name: String
    /// The tool's version.
    public var version: String

    /// Names a tool.
    public init(name: String, version: String) {
      self.name = name
      self.version = version
    }
  }

  /// The machine that a launch ran on, as far as it explains a measurement.
  public struct Host: Sendable, Hashable {
    /// The kernel's name, such as `Linux` or `Darwin`.
    public var system: String
    /// The kernel's release.
    public var release: String
    /// The hardware, such as `x86_64` or `arm64`.
    public var architecture: String
    /// The processor's name, where the system tells it.
    public var processor: String?
    /// How many processors were online.
    public var cores: Int

    /// Describes a machine.
    public init(system: String, release: String, architecture: String, processor: String?, cores: Int) {
      self.system = system
      self.release = release
      self.architecture = architecture
      self.processor = processor
      self.cores = cores
    }

    /// This machine; asks the system, so not on the boot path.
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
  /// Nanoseconds of processor time that fixed pieces of work took beside the launch; `check` measures them.
  public var calibrations: [Int64] = []

  /// Creates a header.
  public init(tool: Tool? = nil, host: Host? = nil, calibrations: [Int64] = []) {
    self.tool = tool
    self.host = host
    self.calibrations = calibrations
  }
}
