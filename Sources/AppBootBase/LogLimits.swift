/// The limits of a log's size.
package struct LogLimits: Sendable, Hashable {
  /// The most bytes of one file.
  ///
  /// A line whose beginning was appended on its own may exceed it; the line itself is not longer.
  package var maxSize: Int
  /// The maximum number of files, including the current one.
  package var files: Int

  package init(maxSize: Int = 1 << 20, files: Int = 3) {
    (self.maxSize, self.files) = (maxSize, files)
  }
}
