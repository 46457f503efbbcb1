import AppBoot
import AppBootRecords
import AppBootSystem

/// An SQL file with a number.
struct MigrationFile: Sendable {
  let number: Int
  /// The file's name. It begins with the number.
  let name: String
  let bytes: [UInt8]
  /// The SHA-256 digest in the form that `sha256sum` prints.
  let digest: String

  init(number: Int, name: String, bytes: [UInt8]) {
    (self.number, self.name, self.bytes) = (number, name, bytes)
    digest = SHA256.hexadecimal(of: bytes)
  }

  /// The digits of the number as they are in the name, including leading zeros.
  var digits: String { String(name.prefix { $0.isASCII && $0.isNumber }) }
}

/// The SQL files of a directory in ascending order of their numbers. There is at least one file.
struct MigrationFiles: Sendable {
  /// The directory's path from the manifest, with its variables replaced.
  let directory: String
  let files: [MigrationFile]

  /// The name of the file with the highest number.
  var last: String { files.last?.name ?? "" }

  /// Reads the files of a directory. Ignores hidden files, and files without the extension `.sql`.
  ///
  /// - Throws: `MigrationError` for a missing directory, a directory without SQL files, files without a number, equal
  ///   numbers and zero bytes; `SystemError` if the directory or a file cannot be read.
  init(in directory: String, _ base: String) throws {
    let path = FileSystem.join(base, directory)
    guard FileSystem.isDirectory(path) else { throw MigrationError.noDirectory(directory) }
    let names = try FileSystem.list(path).filter { !$0.hasPrefix(".") && $0.lowercased().hasSuffix(".sql") }
    if names.isEmpty { throw MigrationError.noFiles(directory) }
    var problems: [String] = []
    var files: [MigrationFile] = []
    for name in names {
      let digits = name.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits) else {
        problems.append(Self.problem(withNumberOf: name, digits: String(digits)))
        continue
      }
      let bytes = try FileSystem.readFile(FileSystem.join(path, name), waitsForPipe: false)
      if bytes.contains(0) { problems.append("\(name) contains a zero byte: save it as UTF-8") }
      files.append(MigrationFile(number: number, name: name, bytes: bytes))
    }
    self.directory = directory
    self.files = files.sorted { ($0.number, $0.name) < ($1.number, $1.name) }
    problems += zip(self.files, self.files.dropFirst()).filter { $0.number == $1.number }.map {
      "\($0.name) and \($1.name) have the same number: give one of them the next free number"
    }
    if !problems.isEmpty { throw MigrationError.refused(problems, in: directory) }
  }

  private static func problem(withNumberOf name: String, digits: String) -> String {
    digits.isEmpty
      ? "\(name) has no number: begin its name with the next one, as in 001-create-users.sql"
      : "the number of \(name) is too large"
  }

  /// The error messages about gaps between the files' numbers; empty without gaps.
  var gaps: [String] {
    guard let first = files.first else { return [] }
    let start =
      first.number <= 1
      ? []
      : [
        "\(first.name) is the first file, and its number is not 1: begin with 1, or restore the files before it"
      ]
    return start
      + zip(files, files.dropFirst()).filter { $1.number - $0.number > 1 }.map {
        "no file has a number between those of \($0.name) and \($1.name): restore it, or number the files without gaps"
      }
  }
}
