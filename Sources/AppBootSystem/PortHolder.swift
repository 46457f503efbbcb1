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

extension PortHolder {
  /// Returns the name of the process that listens on a TCP port of this machine; `nil` if it cannot be found.
  static func name(ofPort port: UInt16) -> String? {
    #if os(Linux)
    let sockets = ListeningSockets(port: port).names
    guard !sockets.isEmpty else { return nil }
    return ProcessEntry.all().first { has($0.process, sockets) }.map { name(of: $0.process) }
    #else
    return nil
    #endif
  }
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
  private(set) var names: Set<String> = []

  /// Finds the sockets of this machine.
  init(port: UInt16) {
    if let asked = Self.ask(port: port) {
      self = asked
      return
    }
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
      names.formUnion(Self(port: port, in: (try? FileSystem.readFile(table)) ?? []).names)
    }
  }

  /// Asks the kernel for the sockets that listen (sock_diag(7)); returns `nil` if it refuses, as in some containers.
  ///
  /// A table in `/proc/net` takes the kernel milliseconds, even if few sockets are open.
  static func ask(port: UInt16) -> ListeningSockets? {
    // NETLINK_SOCK_DIAG; SOCK_RAW with SOCK_CLOEXEC.
    let kernel = socket(AF_NETLINK, 0o2000003, 4)
    guard kernel >= 0 else { return nil }
    defer { Descriptor.close(kernel) }
    var found = ListeningSockets()
    for family in [AF_INET, AF_INET6] {
      // An `nlmsghdr`: 72 bytes, SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST | NLM_F_DUMP. Then an `inet_diag_req_v2`: the
      // family, IPPROTO_TCP, and the bit of TCP_LISTEN in the states.
      var request = [UInt8](repeating: 0, count: 72)
      request.withUnsafeMutableBytes { bytes in
        bytes.storeBytes(of: 72, as: UInt32.self)
        bytes.storeBytes(of: 20, toByteOffset: 4, as: UInt16.self)
        bytes.storeBytes(of: 0x301, toByteOffset: 6, as: UInt16.self)
        bytes.storeBytes(of: UInt8(family), toByteOffset: 16, as: UInt8.self)
        bytes.storeBytes(of: 6, toByteOffset: 17, as: UInt8.self)
        bytes.storeBytes(of: 1 << 10, toByteOffset: 20, as: UInt32.self)
      }
      guard write(kernel, request, request.count) == request.count, found.readAnswer(kernel, port) else {
        return nil
      }
    }
    return found
  }

  private init() {}

  /// Adds the sockets of the messages up to NLMSG_DONE. Returns false for an error, or if no answer comes.
  private mutating func readAnswer(_ kernel: Int32, _ port: UInt16) -> Bool {
    var answer = [UInt8](repeating: 0, count: 1 << 15)
    while true {
      // MSG_DONTWAIT: the kernel has queued the next part when it returns one.
      let count = retryingInterrupts { recv(kernel, &answer, answer.count, 0x40) }
      var start = 0
      while start + 16 <= count {
        let (length, type) = answer.withUnsafeBytes { bytes in
          (
            Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)),
            bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt16.self)
          )
        }
        if type == 3 {
          return answer.withUnsafeBytes { bytes in
            length >= 20 && start + length <= count
              && bytes.loadUnaligned(fromByteOffset: start + 16, as: Int32.self) == 0
          }
        }
        guard type == 20, length >= 16 + 72, start + length <= count else { return false }
        // An `inet_diag_msg`: the port of the socket, and at its end the inode.
        answer.withUnsafeBytes { bytes in
          let own = bytes.loadUnaligned(fromByteOffset: start + 16 + 4, as: UInt16.self)
          let inode = bytes.loadUnaligned(fromByteOffset: start + 16 + 68, as: UInt32.self)
          if UInt16(bigEndian: own) == port { names.insert("socket:[\(inode)]") }
        }
        // Messages begin at multiples of four bytes.
        start += (length + 3) & ~3
      }
      if count <= 0 { return false }
    }
  }

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
