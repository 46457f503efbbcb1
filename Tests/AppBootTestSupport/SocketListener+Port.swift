import AppBootLibC
package import AppBootSystem

extension SocketListener {
  /// Listens on a port of 127.0.0.1. If `port` is 0, the system chooses a free port.
  package convenience init(port: UInt16 = 0) throws(SystemError) {
    try self.init(on: .loopback(port), named: "127.0.0.1:\(port)")
  }

  /// The TCP port.
  package var port: UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { getsockname(readDescriptor, $0.baseAddress, &size) }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}
