/// A log that consists of files of limited size.
///
/// A full file `NAME.log` is renamed to `NAME.1.log`, that file to `NAME.2.log`, and so on. The oldest file is removed.
/// The first append of each instance also begins a new file, unless `continues` is true. No file is created before the
/// first append.
package struct RotatingFile: Sendable {
  /// The limits of a log's size.
  package struct Limits: Sendable, Hashable {
    /// The maximum number of bytes of one file.
    package var maxSize: Int
    /// The maximum number of files, including the current one.
    package var files: Int

    package init(maxSize: Int = 1 << 20, files: Int = 3) {
      (self.maxSize, self.files) = (maxSize, files)
    }
  }

  private let directory: String
  private let name: String
  private let limits: Limits
  private let continues: Bool
  private var file: AppendFile?
  private var size = 0

  /// Creates a log without creating a file.
  ///
  /// - Parameters:
  ///   - name: The name of the log without its extension.
  ///   - continues: True to append to the current file of another writer.
  package init(in directory: String, name: String, limits: Limits, continues: Bool = false) {
    (self.directory, self.name, self.limits, self.continues) = (directory, name, limits, continues)
  }

  /// Appends bytes. When a file is full, begins a new one. The log has at most `maxSize` × `files` bytes.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      if file == nil, continues { try resume() }
      if file == nil || size >= limits.maxSize { try begin() }
      let count = min(rest.count, limits.maxSize - size)
      try file?.append(UnsafeRawBufferPointer(rebasing: rest[..<count]))
      size += count
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Returns the path of a file of the log. Age 0 is the current file, and age 1 the one before it.
  package static func path(in directory: String, name: String, age: Int = 0) -> String {
    FileSystem.join(directory, age == 0 ? "\(name).log" : "\(name).\(age).log")
  }

  private mutating func resume() throws(SystemError) {
    let path = Self.path(in: directory, name: name)
    size = FileSystem.size(of: path) ?? 0
    file = try AppendFile(own: path)
  }

  private mutating func begin() throws(SystemError) {
    file = nil
    for age in stride(from: limits.files - 1, through: 0, by: -1) {
      let path = Self.path(in: directory, name: name, age: age)
      guard FileSystem.kind(of: path, followingLinks: false) != nil else { continue }
      if age == limits.files - 1 {
        try FileSystem.remove(path)
      } else {
        try FileSystem.rename(path, to: Self.path(in: directory, name: name, age: age + 1))
      }
    }
    file = try AppendFile(own: Self.path(in: directory, name: name))
    size = 0
  }
}
