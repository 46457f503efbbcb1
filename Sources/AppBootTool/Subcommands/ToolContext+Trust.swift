import AppBootSystem

extension ToolContext {
  /// Warns if another user can have changed a state directory, or a directory in it. Launches do not use these.
  func warnIfUntrusted(_ state: String, _ folder: String, _ color: ColorChoice) {
    do throws(SystemError) {
      try FileSystem.checkOwn(directory: state)
      try FileSystem.checkOwn(directory: FileSystem.join(state, folder), followingLinks: false)
    } catch {
      warn("another user can have changed the \(folder) shown here: a launch \(error)", color: color)
    }
  }
}
