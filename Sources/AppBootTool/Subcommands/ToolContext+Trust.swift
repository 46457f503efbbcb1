import AppBootSystem

extension ToolContext {
  /// Warns if another user may have changed a state directory or a folder in it. Launches do not use such directories.
  func warnIfUntrusted(_ state: String, _ folder: String) {
    do throws(SystemError) {
      try FileSystem.checkOwn(directory: state)
      try FileSystem.checkOwn(directory: FileSystem.join(state, folder), followingLinks: false)
    } catch {
      warn("another user may have changed the \(folder) shown here: a launch \(error)")
    }
  }
}
