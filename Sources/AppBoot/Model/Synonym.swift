/// A list of the words that other tools use for the keys of a manifest. The help of an error uses them.
enum Synonym {
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
