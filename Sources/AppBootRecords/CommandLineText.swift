package import AppBoot

/// The command line of a process in the form that records have.
package enum CommandLineText {
  /// The maximum number of Unicode scalars. A longer command line ends with an ellipsis.
  package static let longest = 500

  /// Returns a program and its arguments, quoted so that a POSIX shell reads them back.
  ///
  /// Secrets are replaced in each argument before it is quoted or cut: a secret with a quote would look different, and
  /// one that was cut would not be found.
  package static func of(_ arguments: [String], hiding secrets: Secrets) -> String {
    var text = ""
    for argument in arguments {
      // The rest does not fit.
      guard text.unicodeScalars.count <= longest else { break }
      if !text.isEmpty { text += " " }
      text += ShellText.word(secrets.masking(argument))
    }
    return text.cut(toScalars: longest)
  }
}

extension LaunchContext {
  /// Records that a process was started for the command.
  ///
  /// - Parameter arguments: The program and its arguments.
  package func processStarted(_ pid: Int32, arguments: [String]) {
    let line = CommandLineText.of(arguments, hiding: secrets)
    host.record(
      .processStarted(step: step, attempt: attempt, pid: pid, commandLine: line), from: step, attempt: attempt
    )
  }
}
