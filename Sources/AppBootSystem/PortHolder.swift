import AppBootLibC

/// The process that listens on a TCP port of this machine.
package enum PortHolder: Equatable, Sendable {
  /// A process of the given family.
  case family
  /// A process outside the family, as a text for messages: for example `nginx (process 42)`.
  case other(String)
  /// It cannot be found, for example because it is in another network namespace, or because of its user.
  case unknown
}

#if os(Linux)

extension PortHolder {
  /// Finds the holder by the sockets in `/proc/net` and the descriptors of the processes (proc(5)).
  init(of sockets: Set<String>, family: Set<Int32>, in entries: [ProcessEntry]) {
    self = .unknown
    var isHidden = false
    for process in entries.filter({ family.contains($0.process) && !$0.hasEnded }).map(\.process) {
      guard let descriptors = Self.descriptors(of: process) else {
        // Its user may be another one, or it has ended.
        isHidden = isHidden || Signals.send(0, to: process) || errno == EPERM
        continue
      }
      if !sockets.isDisjoint(with: descriptors) {
        self = .family
        return
      }
    }
    if isHidden { return }
    // A listener of another user is unknown: it may listen for the family, as the proxy of a container does.
    let other = entries.first { !family.contains($0.process) && Self.has($0.process, sockets) }
    if let other { self = .other(Self.name(of: other.process)) }
  }

  /// Returns true if a process has one of the sockets.
  static func has(_ process: Int32, _ sockets: Set<String>) -> Bool {
    descriptors(of: process).map { !sockets.isDisjoint(with: $0) } == true
  }

  /// Returns the targets of a process's descriptors; `nil` if they cannot be read.
  private static func descriptors(of process: Int32) -> Set<String>? {
    let folder = "/proc/\(process)/fd"
    guard let names = try? FileSystem.list(folder) else { return nil }
    return Set(names.compactMap { target(of: "\(folder)/\($0)") })
  }

  private static func target(of link: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(link, start, buffer.count)
      guard count > 0 else { return nil }
      return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }

  /// Returns the name of a process for messages, for example `nginx (process 42)`.
  static func name(of process: Int32) -> String {
    command(of: process).map { "\($0) (process \(process))" } ?? "process \(process)"
  }

  /// Returns the name of a process's program (proc(5)); `nil` if it cannot be read.
  static func command(of process: Int32) -> String? {
    let bytes = (try? FileSystem.readStart(of: "/proc/\(process)/comm", limit: 64)) ?? []
    let name = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    return name.isEmpty ? nil : name
  }
}

/// The sockets that listen on a TCP port, as the links in `/proc/PID/fd` name them.
struct ListeningSockets: Equatable {
  /// The files with the sockets (proc(5)).
  static let tables = ["/proc/net/tcp", "/proc/net/tcp6"]

  private(set) var names: Set<String> = []

  /// Reads a table, whose lines have the local address, the state and the inode as columns 2, 4 and 10.
  init(port: UInt16, in table: [UInt8]) {
    let listening = "0A"
    for line in table.split(separator: 0x0A) {
      let columns = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
      guard columns.count > 9, columns[3] == listening,
        let number = columns[1].split(separator: ":").last.flatMap({ UInt16($0, radix: 16) }), number == port
      else { continue }
      names.insert("socket:[\(columns[9])]")
    }
  }
}

#endif
