/// An error of a start that may succeed later.
package protocol ShortageError: Error {
  /// A Boolean that is true if nothing was started, because there are as many processes or open descriptors as the
  /// system allows.
  var isShortage: Bool { get }
}
