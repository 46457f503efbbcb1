import AppBootSystem

/// A client that connects to a TCP or Unix socket without blocking. It tries the addresses of a host one by one.
struct Connector: Sendable {
  enum Target: Sendable, Hashable {
    case tcp(HostPort)
    /// The socket at a path. `name` is the path from the manifest, with its variables replaced.
    case unix(path: String, name: String)

    /// The address for messages.
    var name: String {
      switch self {
      case .tcp(let address): address.description
      case .unix(_, let name): "\"\(name)\""
      }
    }

    /// The TCP port; `nil` for a socket at a path.
    var port: UInt16? { if case .tcp(let address) = self { address.port } else { nil } }

    /// True for an address of this machine: a loopback address, or a path.
    var isLocal: Bool {
      switch self {
      case .tcp(let address): address.isLocal
      case .unix: true
      }
    }

    /// True if the address is known without a DNS query.
    var isKnown: Bool {
      switch self {
      case .tcp(let address): SocketAddress.known(address.host, address.port) != nil
      case .unix: true
      }
    }
  }

  enum Progress: Sendable {
    case connected(StreamSocket)
    case pending(String)
    case failed(String)
  }

  /// The nanoseconds after which the next address is tried. TCP sends a lost packet again after a second.
  private static let limit: Int64 = 2_000_000_000
  /// The nanoseconds for which the result of a host name's search is used again.
  private static let lookupAge: Int64 = 1_000_000_000

  let target: Target
  private var lookup: (search: HostLookup, since: Int64)?
  private var untried: [SocketAddress]?
  private var socket: (socket: StreamSocket, since: Int64)?
  private var failure = ""

  init(_ target: Target) { self.target = target }

  /// Begins an attempt to connect, or continues the current attempt.
  mutating func advance(at time: Int64) -> Progress {
    if untried == nil {
      switch addresses(at: time) {
      case nil: return .pending("no answer yet to the search for \(target.name)")
      case .failure(let error)?: return .failed(words(error))
      case .success(let addresses)?: untried = addresses
      }
    }
    while true {
      if let progress = continueConnecting(at: time) { return progress }
      guard let address = untried?.first else {
        untried = nil
        return .failed(failure)
      }
      untried?.removeFirst()
      do throws(SystemError) {
        socket = (try StreamSocket.beginConnecting(to: address), time)
      } catch {
        failure = words(error)
      }
    }
  }

  /// Aborts the current attempt and closes its socket.
  mutating func close() {
    socket?.socket.close()
    socket = nil
    untried = nil
  }

  /// Returns the progress of the connection to the current address; `nil` if it has failed or has not begun.
  private mutating func continueConnecting(at time: Int64) -> Progress? {
    guard let (socket, since) = socket else { return nil }
    do throws(SystemError) {
      if try socket.isConnected() {
        self.socket = nil
        untried = nil
        return .connected(socket)
      }
      failure = "no answer from \(target.name)"
      if time - since < Self.limit { return .pending(failure) }
    } catch {
      failure = words(error)
    }
    socket.close()
    self.socket = nil
    return nil
  }

  private mutating func addresses(at time: Int64) -> Result<[SocketAddress], SystemError>? {
    switch target {
    case .unix(let path, _): return Result { () throws(SystemError) in [try SocketAddress.local(path)] }
    case .tcp(let address):
      if let lookup, lookup.search.result == nil || time - lookup.since < Self.lookupAge {
        return lookup.search.result
      }
      let search = HostLookup(address.host, address.port)
      lookup = (search, time)
      return search.result
    }
  }

  private func words(_ error: SystemError) -> String {
    if error.isRefused { return "connection refused by \(target.name)" }
    if error.isTimeout { return "no answer from \(target.name)" }
    if error.isNotFound {
      switch target {
      case .tcp(let address): return "no address for the name \"\(address.host)\""
      case .unix: return "there is no socket \(target.name)"
      }
    }
    return "cannot connect to \(target.name): \(error.reason)"
  }
}
