extension StartupCommandsBuilder {
  /// Returns the facts about recorded launches; `nil` if no condition needs them, or if they cannot be read.
  func recordedLaunches() -> RecordedLaunches? {
    guard manifest.recordedLaunches != nil, let (entry, description) = recordingEntry else { return nil }
    let command = try? description.decode(from: entry.parameters, libraries: nil).command
    return try? (command as? any LaunchRecording)?.recordedLaunches(in: environment)
  }

  /// Returns the error of a condition that needs recorded launches if no entry records launches; otherwise `nil`.
  func problemWithRecordedLaunches() -> Diagnostic? {
    guard let (condition, range) = manifest.recordedLaunches, recordingEntry == nil else { return nil }
    let name = registry.commands.first { $0.type is any LaunchRecording.Type }?.name
    return .error(
      "\"\(condition)\" needs launches to be recorded, and no command in \"commands\" records them",
      at: range,
      help: name.map { "add { \"command\": \"\($0)\" } to \"commands\"" })
  }

  private var recordingEntry: (ManifestEntry, CommandDescription)? {
    for entry in manifest.commands {
      if let description = registry[entry.command], description.type is any LaunchRecording.Type {
        return (entry, description)
      }
    }
    return nil
  }
}
