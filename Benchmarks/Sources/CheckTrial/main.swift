import AppBoot
import AppBootCommands
import AppBootTool

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An app with real work of some milliseconds per step. `CHECK_TRIAL_SLOW=index:1.2` makes one step slower by a factor.
/// `Benchmarks/check-rates` measures if `check` finds that step.
enum Slowness {
  static func factor(of name: String) -> Double {
    guard let value = getenv("CHECK_TRIAL_SLOW") else { return 1 }
    let parts = String(cString: value).split(separator: ":")
    return parts.count == 2 && parts[0] == name ? Double(parts[1]) ?? 1 : 1
  }
}

/// Sorts the same numbers again and again.
struct Sort: Command {
  static let abstract = "Sorts numbers."

  @Parameter("Which one it is.") var name: String
  @Parameter("How many numbers.") var count = 1000
  @Parameter("How often.") var rounds: Int

  func execute(in context: LaunchContext) throws {
    var sum: UInt64 = 0
    for round in 0..<Int(Double(rounds) * Slowness.factor(of: name)) {
      var state = UInt64(round)
      var numbers = (0..<count).map { _ -> UInt64 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 20
      }
      numbers.sort()
      sum &+= numbers[count / 2]
    }
    context.note("\(sum % 1000)")
  }
}

/// Splits a text into words and counts them.
struct CountWords: Command {
  static let abstract = "Counts words."

  @Parameter("Which one it is.") var name: String
  @Parameter("How often.") var rounds: Int

  func execute(in context: LaunchContext) throws {
    var counts: [Substring: Int] = [:]
    let text = String(repeating: "the quick brown fox jumps over the lazy dog while it boots ", count: 20)
    for _ in 0..<Int(Double(rounds) * Slowness.factor(of: name)) {
      for word in text.split(separator: " ") { counts[word, default: 0] += 1 }
    }
    context.note("\(counts["the"] ?? 0)")
  }
}

/// Waits, as for a network.
struct Pause: Command {
  static let abstract = "Waits."

  @Parameter("How long, in microseconds.") var microseconds: Int

  func execute(in context: LaunchContext) throws { usleep(UInt32(microseconds)) }
}

var registry = CommandRegistry(Sort.self, CountWords.self, Pause.self)
registry.register(StockCommands.all)
CommandLineTool(name: "check-trial", version: "1.0.0", registry: registry).main()
