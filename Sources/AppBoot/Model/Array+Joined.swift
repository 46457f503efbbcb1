extension [String] {
  /// The strings, one after the other, with `separator` between each two: the same as the standard library's, but compiled for a
  /// list of strings. That one asks the runtime what kind of collection this is: 110,000 of a launch's 6 million instructions.
  package func joined(separator: String = "") -> String {
    var text = ""
    for index in indices {
      if index > 0 { text += separator }
      text += self[index]
    }
    return text
  }
}
