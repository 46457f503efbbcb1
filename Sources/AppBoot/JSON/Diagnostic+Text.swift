extension [Diagnostic] {
  /// Returns the diagnostics of a text as `file:line:column: error: …`, each with its help and its notes.
  package func text(in source: SourceText) -> String {
    let files = SourceFiles(source)
    return text { range in
      let (lines, range) = files.place(of: range)
      return "\(lines.source.name):\(lines.location(of: Int(range.start)))"
    }
  }

  /// Returns the diagnostics as lines that are safe for a terminal.
  ///
  /// - Parameter place: A function that returns the name of a place.
  func text(_ place: (SourceRange) -> String) -> String {
    flatMap { problem in
      let head = "\(place(problem.range)): \(problem.severity.rawValue): \(problem.message)"
      let help = problem.help.map { "help: \($0)" }
      let notes = problem.notes.map { "\(place($0.range)): note: \($0.message)" }
      return ([head] + help + notes).map { VisibleText.of($0) + "\n" }
    }.joined()
  }
}
