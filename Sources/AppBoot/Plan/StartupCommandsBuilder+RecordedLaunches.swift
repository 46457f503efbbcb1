extension StartupCommandsBuilder {
  /// Returns the facts about recorded launches; `nil` if no condition needs them, or if they cannot be read.
  func recordedLaunches() -> RecordedLaunches? {
    guard manifest.recordedLaunches != nil else { return nil }
    return try? recordingCommand?.recordedLaunches(in: environment)
  }

  /// Returns the error of a condition that needs recorded launches if no entry records launches; otherwise `nil`.
  func problemWithRecordedLaunches() -> Diagnostic? {
    guard let (condition, range) = manifest.recordedLaunches, recordingEntry == nil else { return nil }
    let name = registry.commands.first { $0.type is any LaunchRecording.Type }?.name
    let list = code == nil ? "command in \"commands\"" : "step of the launch"
    let help = name.map { "add { \"command\": \"\($0)\" } to \"commands\"" }
    return .error(
      "\"\(condition)\" needs launches to be recorded, and no \(list) records them", at: range,
      help: code == nil ? help : "add a step of RecordLaunch")
  }

  /// The first entry whose command records launches; `nil` if there is none.
  private var recordingEntry: ManifestEntry? {
    manifest.commands.first { entry in
      (entry.code.map { type(of: $0) } ?? registry[entry.command]?.type) is any LaunchRecording.Type
    }
  }

  private var recordingCommand: (any LaunchRecording)? {
    guard let entry = recordingEntry else { return nil }
    guard let description = registry[entry.command] else { return entry.code as? any LaunchRecording }
    var reader = ParameterReader(of: description.type, named: nil, environment: nil)
    let command = try? description.command(from: entry.parameters, at: entry.commandRange, &reader)
    return reader.problems.total == 0 ? command as? any LaunchRecording : nil
  }
}
