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

/// A namespace for functions that quote text for a POSIX shell.
package enum ShellText {
  /// Returns the text in single quotes.
  package static func quoted(_ text: String) -> String {
    // A quote and a combining mark after it are one character.
    "'" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "'" ? #"'\''"# : "\($1)" } + "'"
  }

  /// Returns the text as one word of a command line. A text that the shell reads as it stands gets no quotes.
  package static func word(_ text: String) -> String {
    !text.isEmpty && text.utf8.allSatisfy(isPlain) ? text : quoted(text)
  }

  /// Returns whether a byte has no special meaning in the shell (POSIX, Shell Command Language, 2.2).
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "@"),
      UInt8(ascii: "%"), UInt8(ascii: "+"):
      true
    default: false
    }
  }
}
