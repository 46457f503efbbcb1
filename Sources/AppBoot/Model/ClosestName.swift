/// A search for the known name that is closest to a mistyped name.
///
/// The distance of two names is optimal string alignment, the restricted Damerau-Levenshtein distance: each insertion,
/// deletion, substitution and swap of neighbours costs one. Upper and lower case count as the same letter.
package struct ClosestName: Sendable {
  /// The maximum length of names whose distance is computed. Longer names are only compared for equality, which is
  /// fast.
  private static let longestName = 96

  /// The maximum number of names in a message.
  package static let most = 10
  /// The number of mistyped names of one kind in a text that are searched among a long list. Each search takes time.
  package static let mostSearches = 20
  /// The maximum number of names that are searched for each mistyped name.
  private static let shortList = 100

  /// The names that exist.
  package let names: [String]
  private let folded: [[Unicode.Scalar]]

  /// Creates a search among names. If two of them are equally close to a name, the earlier one is found.
  ///
  /// - Parameter searches: The number of earlier searches among the same names. After ``mostSearches``, no name of a
  ///   long list is close.
  package init(among names: some Sequence<String>, after searches: Int = 0) {
    self.names = Array(names)
    let isSearched = searches < Self.mostSearches || self.names.count <= Self.shortList
    folded = isSearched ? self.names.map(ClosestName.fold) : []
  }

  /// Returns the candidate closest to a name; `nil` if each differs by more than about a third of its length.
  package static func to(_ name: String, among candidates: some Sequence<String>) -> String? {
    ClosestName(among: candidates).match(for: name)
  }

  /// Returns the candidate closest to a name; `nil` if each differs by more than a number of letters.
  package static func to(
    _ name: String, among candidates: some Sequence<String>, differingAtMost limit: Int
  ) -> String? {
    to(name, among: candidates).flatMap { distance(fold(name), fold($0)) <= limit ? $0 : nil }
  }

  /// Returns the known name closest to a name; `nil` if no known name is close. Takes O(names × length²).
  package func match(for name: String) -> String? {
    let wanted = ClosestName.fold(name)
    guard !wanted.isEmpty else { return nil }
    if let same = folded.firstIndex(of: wanted) { return names[same] }
    var best: (index: Int, distance: Int)?
    for (index, other) in folded.enumerated() {
      let limit = min(ClosestName.threshold(wanted.count, other.count), (best?.distance ?? .max) - 1)
      guard abs(wanted.count - other.count) <= limit else { continue }
      let distance = ClosestName.distance(wanted, other, atMost: limit)
      if distance <= limit { best = (index, distance) }
    }
    return best.map { names[$0.index] }
  }

  /// Returns the names to list in a message about a mistyped name: all, or the nearest ones if there are many.
  package func list(for name: String) -> NameList {
    guard names.count > Self.most else { return NameList(names) }
    let wanted = ClosestName.fold(name)
    let distances = folded.map { ClosestName.distance(wanted, $0) }
    let nearest =
      distances.isEmpty
      ? Array(names.indices) : names.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
    return NameList(nearest.prefix(Self.most).sorted().map { names[$0] }, isShortened: true)
  }

  /// Returns the maximum distance of two close names: a third of the longer name, at least 1; 0 for names of one
  /// letter.
  private static func threshold(_ first: Int, _ second: Int) -> Int {
    let longest = max(first, second)
    return longest < 2 ? 0 : max(1, longest / 3)
  }

  /// Returns the letters of a name in lower case.
  ///
  /// A name of more than 4 × ``longestName`` bytes is not changed: it is too long to compute its distance.
  private static func fold(_ name: String) -> [Unicode.Scalar] {
    Array((name.utf8.count > 4 * longestName ? name : name.lowercased()).unicodeScalars)
  }

  /// Returns the distance of two names; `Int.max` if a name is too long, or if the distance is above the limit.
  private static func distance(
    _ first: [Unicode.Scalar], _ second: [Unicode.Scalar], atMost limit: Int = .max
  ) -> Int {
    guard max(first.count, second.count) <= longestName else { return .max }
    var beforePrevious: [Int] = []
    var previous = Array(0...second.count)
    for (row, letter) in first.enumerated() {
      var current = [row + 1]
      for (column, other) in second.enumerated() {
        var cost = min(previous[column + 1], current[column]) + 1
        cost = min(cost, previous[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
          cost = min(cost, beforePrevious[column - 1] + 1)
        }
        current.append(cost)
      }
      // The distances of a later row are not lower than the lowest one of this row.
      if current.allSatisfy({ $0 > limit }) { return .max }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[second.count]
  }
}

/// A list of names in a message.
package struct NameList: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The names.
  package var names: [String]
  /// True if the message leaves out further names.
  package var isShortened: Bool

  /// Creates a list of names.
  package init(_ names: [String], isShortened: Bool = false) {
    (self.names, self.isShortened) = (names, isShortened)
  }

  /// Creates a list that leaves out no name.
  package init(arrayLiteral names: String...) { self.init(names) }

  /// Returns the names with commas between them. An ellipsis follows if the list is shortened.
  ///
  /// - Parameter shown: A function that returns a name as the message shows it, for example in quotation marks.
  package func text(_ shown: (String) -> String = { $0 }) -> String {
    (names.map { shown($0.excerpt) } + (isShortened ? ["…"] : [])).joined(separator: ", ")
  }
}

/// A list of the words that other tools use for the keys of a manifest. The help of an error uses them.
enum Synonym {
  /// The words for `files` of `environment` that cannot be meant as variables.
  static let ofEnvironmentFiles = ["file", "env_file", "envFile", "env_files", "envFiles", "dotenv"]

  /// Returns the known key that means the same as a word; `nil` if no known key does.
  static func of(_ word: String, among known: [String]) -> String? {
    let plain = plain(word)
    return meanings.first { $0.words.contains(plain) && known.contains($0.key) }?.key
  }

  /// Returns the suggestion for an unknown word: its synonym among the known ones, or else the closest name.
  static func suggestion(for word: String, among known: [String]) -> String? {
    of(word, among: known) ?? ClosestName.to(word, among: known)
  }

  /// Returns whether a word is another tool's name for running a program, for example `exec` or `script`.
  static func isProgram(_ word: String) -> Bool { programs.contains(plain(word)) }

  /// Returns the command for a synonym, or for the name of its type, for example `OpenDatabase` for
  /// `OpenDatabaseCommand`; `nil` for other words.
  static func ofCommand(_ word: String, among names: [String]) -> String? {
    isProgram(word) && names.contains("RunProcess") ? "RunProcess" : names.first { word == "\($0)Command" }
  }

  private static func plain(_ word: String) -> String {
    word.lowercased().filter { $0 != "_" && $0 != "-" }
  }

  private static let programs = [
    "run", "cmd", "exec", "execute", "shell", "sh", "bash", "script", "process", "program", "migratestore",
  ]

  /// The keys and their synonyms. If a word is a synonym of several known keys, the first one is returned.
  private static let meanings: [(key: String, words: [String])] = [
    ("after", ["needs", "need", "dependson", "depends", "dependencies", "deps", "requires", "require"]),
    ("backoff", ["delay", "wait", "interval", "pause"]),
    ("maxBackoff", ["maximumbackoff", "maxdelay", "maximumdelay"]),
    ("attempts", ["tries", "retries", "count", "maxattempts", "maxretries"]),
    ("retry", ["retries", "attempts"]),
    ("platform", ["os", "system", "platforms"]),
    ("environment", ["env", "environ", "variables", "vars", "dotenv", "envfile", "envfiles"]),
    ("directory", ["cwd", "dir", "workdir", "workingdir", "workingdirectory"]),
    ("arguments", ["args", "argv", "run", "cmd", "exec", "command", "program", "script"]),
    ("expect", ["exitcode", "exitcodes", "code", "codes"]),
    ("comment", ["note", "notes", "description", "desc"]),
    ("with", ["params", "parameters", "options", "args"]),
    ("id", ["name", "key", "label"]),
    ("when", ["if", "condition", "conditions"]),
    ("unless", ["creates", "skipif", "notif", "onlyif", "ifnot"]),
    ("timeout", ["timelimit", "deadline", "limit"]),
    ("onFailure", ["onerror", "onfail", "allowfailure", "continueonerror"]),
    ("include", ["includes", "import", "imports", "extends"]),
    ("name", ["title"]),
    ("commands", ["steps", "tasks", "entries", "services", "scripts", "jobs"]),
    ("macos", ["darwin", "mac", "osx"]),
    ("on", ["events", "hooks", "handlers"]),
    ("continue", ["ignore", "warn", "skip", "proceed"]),
    ("stop", ["abort", "exit", "fail", "halt"]),
    ("tcp", ["port", "host", "address"]),
    ("http", ["url", "https"]),
  ]
}

extension Collection<String> {
  /// Returns the first texts with a separator between them, and the number of the others: `a, b and 17 more`.
  package func listed(atMost most: Int, separator: String = ", ") -> String {
    prefix(most).joined(separator: separator) + (count > most ? " and \(count - most) more" : "")
  }

  /// The names in quotation marks, for example `"a" and "b"`. Of more than five names, the first five and the number of
  /// the others.
  package var quoted: String { map { "\"\($0)\"" }.listed(atMost: 5, separator: " and ") }
}

extension Sequence<String> {
  /// The names in quotation marks with commas between them, for example `"a", "b"`.
  package var quotedList: String { map { "\"\($0)\"" }.joined(separator: ", ") }
}

extension String {
  /// The text for a quotation in a message. A text of more than 80 bytes is shortened to 60 characters.
  package var excerpt: String {
    guard utf8.count > 80 else { return self }
    let start = prefix(60)
    // A character may have any number of marks.
    return start.utf8.count <= 240 ? "\(start)…" : "\(String(unicodeScalars.prefix(60)))…"
  }
}
