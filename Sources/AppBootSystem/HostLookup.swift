/// A search for the addresses of a host. If it needs a name server, it runs on a separate thread.
package final class HostLookup: Sendable {
  private let found = Lock<Result<[SocketAddress], SystemError>?>(nil)

  /// Begins the search.
  package init(_ host: String, _ port: UInt16) {
    if let addresses = SocketAddress.known(host, port) {
      found.withLock { $0 = .success(addresses) }
      return
    }
    // The thread keeps the result until the name server has answered, though the caller may have gone.
    Thread.detach(name: "appboot-lookup") { [self] in
      let result = Result { () throws(SystemError) in try SocketAddress.resolve(host, port) }
      found.withLock { $0 = result }
    }
  }

  /// The addresses in the system's order, or the system's error; `nil` while the search runs.
  package var result: Result<[SocketAddress], SystemError>? { found.withLock(\.self) }
}
