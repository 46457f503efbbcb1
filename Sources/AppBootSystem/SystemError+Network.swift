import AppBootLibC

extension SystemError {
  /// A Boolean that is true if there are as many processes or open descriptors as the system allows.
  package var isShortage: Bool { code == EMFILE || code == ENFILE || code == EAGAIN }

  /// A Boolean that is true if the deadline passed.
  package var isTimeout: Bool { code == ETIMEDOUT }

  /// A Boolean that is true if another process uses the network address.
  package var isAddressInUse: Bool { code == EADDRINUSE }

  /// A Boolean that is true if no process listens at the network address.
  package var isRefused: Bool { code == ECONNREFUSED }

  /// A Boolean that is true if the peer has closed the connection.
  package var isBrokenConnection: Bool { code == ECONNRESET || code == EPIPE }

  /// A Boolean that is true if a name is longer than the system allows.
  package var isNameTooLong: Bool { code == ENAMETOOLONG }

  /// A Boolean that is true if a file or an input has more bytes than its limit.
  package var isTooLarge: Bool { code == EFBIG }
}
