package import AppBootSystem

/// A function that takes over the output of a process that a step left running. It must close the descriptors.
package typealias OutputDrain = @Sendable (_ output: LeftOutput, _ step: String) -> Void

/// The open output of a process that a step left running.
package struct LeftOutput: Sendable {
  /// The read ends of the output pipes.
  package let descriptors: [Int32]
  /// The bytes of each pipe that were read but held back, because they may begin a secret.
  package let unfinished: [[UInt8]]

  package init(descriptors: [Int32], unfinished: [[UInt8]]) {
    (self.descriptors, self.unfinished) = (descriptors, unfinished)
  }
}

/// The logs of the steps' output: one for each step, as files of limited size in the state directory.
///
/// The first output of a step in a launch begins a new log.
package final class OutputLogs: Sendable {
  /// The path of the directory with the logs.
  package let directory: String
  private let store: DirectoryStateStore
  private let limits: RotatingFile.Limits
  private let isOff = Lock(false)
  /// True after the directory was created or checked.
  private let isPrepared = Lock(false)
  /// The ids of the steps whose logs have begun in this launch. Later attempts of these steps append to them.
  private let begun = Lock<Set<String>>([])
  private let warn: @Sendable (String) -> Void

  /// Creates the logs in a state directory. No file is written yet.
  ///
  /// - Parameters:
  ///   - state: The path of the state directory.
  ///   - warn: A function that receives a message about the first error.
  package init(
    state: String, limits: RotatingFile.Limits = RotatingFile.Limits(),
    warn: @escaping @Sendable (String) -> Void
  ) {
    directory = Self.directory(in: state)
    store = DirectoryStateStore(path: state)
    self.limits = limits
    self.warn = warn
  }

  /// Stops writing logs, because the launch cannot use the directory.
  package func turnOff() { isOff.withLock { $0 = true } }

  /// Appends bytes to a step's log. The first bytes in a launch begin a new log.
  ///
  /// The first error is reported, and stops the logs of all steps.
  package func append(_ bytes: UnsafeRawBufferPointer, to file: inout RotatingFile?, ofStep id: String) {
    guard !isOff.withLock(\.self) else { return }
    do {
      if file == nil {
        try prepare()
        let log = begin(id)
        file = RotatingFile(in: log.directory, name: log.name, limits: log.limits, continues: log.continues)
      }
      try file?.append(bytes)
    } catch {
      guard isOff.withLock({ isOff in !isOff.exchange(with: true) }) else { return }
      warn("the steps' output is no longer logged: \(error)")
    }
  }

  /// Creates the directory of the logs if it does not exist, and checks it otherwise.
  package func prepare() throws {
    if isPrepared.withLock(\.self) { return }
    try store.prepare()
    try FileSystem.checkOwn(directory: directory, followingLinks: false)
    if !FileSystem.isDirectory(directory) {
      try FileSystem.createDirectory(directory, mode: 0o700, parents: true)
    }
    isPrepared.withLock { $0 = true }
  }

  /// The location and the maximum sizes of a log, for another process that writes to it.
  package struct Location: Sendable {
    package let directory: String
    package let name: String
    package let limits: RotatingFile.Limits
    /// True if the log has already begun in this launch.
    package let continues: Bool
  }

  /// Returns the location of a step's log; `nil` if logs are turned off.
  package func location(ofStep id: String) -> Location? {
    isOff.withLock(\.self) ? nil : begin(id)
  }

  /// Returns the location of a step's log, and marks the log as begun.
  private func begin(_ id: String) -> Location {
    let isFirst = begun.withLock { $0.insert(id).inserted }
    return Location(directory: directory, name: Self.name(ofStep: id), limits: limits, continues: !isFirst)
  }

  /// Returns the path of the directory with the logs in a state directory.
  package static func directory(in state: String) -> String { FileSystem.join(state, "logs") }

  /// Returns the name of a step's log. It is the step's id, percent-encoded except for letters, digits, `-` and `_`.
  package static func name(ofStep id: String) -> String {
    var name = ""
    for byte in id.utf8 {
      let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
      if isLetter || (byte >= 0x30 && byte <= 0x39) || byte == 0x2D || byte == 0x5F {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += "%" + Hexadecimal.text(of: [byte])
      }
    }
    return name
  }

  /// Returns the ids of the steps that have a log in a state directory, sorted.
  package static func steps(in state: String) -> [String] {
    let files = (try? FileSystem.list(directory(in: state))) ?? []
    return files.compactMap { file in
      let parts = file.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 2 && parts[1] == "log" ? step(named: parts[0]) : nil
    }.sorted()
  }

  /// Returns the id of the step whose log has a name; `nil` if the name is not that of a log.
  private static func step(named name: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = name.utf8[...]
    while let byte = rest.popFirst() {
      if byte == 0x25 {
        guard let code = Hexadecimal.bytes(of: String(Substring(rest.prefix(2)))) else { return nil }
        bytes += code
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Bool {
  /// Sets the value, and returns the previous value.
  fileprivate mutating func exchange(with new: Bool) -> Bool {
    defer { self = new }
    return self
  }
}
