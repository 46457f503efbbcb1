/// Stands for the command of a step that was read back from a record: its name and lane, and no work.
struct RecordedCommand: Command {
  let recordedName: String
  let recordedLane: Lane

  init(name: String, lane: Lane) {
    recordedName = name
    recordedLane = lane
  }

  init() { self.init(name: "Recorded", lane: .main) }

  init(from decoder: any Decoder) throws { self.init() }

  func execute(in context: LaunchContext) throws {
    throw CommandMisuse.recordedCommandExecuted(recordedName)
  }
}
