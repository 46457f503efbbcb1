/// A function that takes over the output of a process that a step left running. It must close the descriptors.
package typealias OutputDrain = @Sendable (_ output: LeftOutput, _ step: String) -> Void

/// The open output of a process that a step left running.
package struct LeftOutput: Sendable {
  /// The read ends of the output pipes.
  package let descriptors: [Int32]
  /// The bytes of each pipe that were read but held back, because they may begin a secret.
  package let unfinished: [[UInt8]]
  /// The id of the launch.
  package let launch: String

  package init(descriptors: [Int32], unfinished: [[UInt8]], launch: String) {
    (self.descriptors, self.unfinished, self.launch) = (descriptors, unfinished, launch)
  }
}
