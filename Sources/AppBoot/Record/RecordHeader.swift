/// The facts about the origin of a record: the tool that wrote it, and the machine.
package struct RecordHeader: Sendable, Hashable {
  /// A tool with its version.
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

  /// The machine on which a launch ran. Its facts help to explain measured times.
  package struct Host: Sendable, Hashable {
    /// The name of the kernel, for example `Linux` or `Darwin`.
    package var system: String
    /// The release of the kernel.
    package var release: String
    /// The processor architecture, for example `x86_64` or `arm64`.
    package var architecture: String
    /// The name of the processor; `nil` if the system does not report it.
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
  }

  /// The place of a launch in a distributed trace. The texts are hexadecimal digits (W3C Trace Context).
  package struct Trace: Sendable, Hashable {
    /// The id of the trace.
    package var traceID: String
    /// The id of the launch's span.
    package var spanID: String
    /// The id of the span that started the launch; `nil` if the launch began the trace.
    package var parentID: String?

    /// Creates a place in a trace.
    package init(traceID: String, spanID: String, parentID: String?) {
      (self.traceID, self.spanID, self.parentID) = (traceID, spanID, parentID)
    }
  }

  /// The tool that wrote the record; `nil` if it is unknown.
  package var tool: Tool?
  /// The machine on which the launch ran; `nil` if it is unknown.
  package var host: Host?
  /// The maximum number of steps that ran at the same time off the main lane; `nil` if it is unknown.
  package var jobs: Int?
  /// The number of processors that the launch could use; `nil` if it is unknown.
  package var processors: Int?
  /// The labels of the launch, sorted by name.
  package var labels: [LaunchLabel] = []
  /// The place of the launch in a distributed trace; `nil` for a launch that is not sent.
  package var trace: Trace?

  /// Creates an empty header.
  package init() {}
}
