import AppBoot
@testable import AppBootRecords
import AppBootLifecycle
import Testing

@Suite("The launch guard")
struct LaunchGuardTests {
  /// A decision of the guard after some launches, the oldest first.
  ///
  /// `H` is a healthy launch, `H-a` one whose user excluded the step a, `-` a neutral one, and `.` a crash outside of
  /// all steps. Any other text has the comma-separated steps that were running at a crash.
  struct Row: Sendable, CustomTestStringConvertible {
    let launches: String
    let culprits: [String]
    var level = SafeMode.Level.culprits
    var crashes = 2

    var testDescription: String { "\(launches) → \(culprits) \(level)" }
  }

  static let table: [Row] = [
    Row(launches: "", culprits: []),
    Row(launches: "H", culprits: []),
    Row(launches: "a", culprits: []),
    Row(launches: "a a", culprits: ["a"]),
    Row(launches: "a b", culprits: []),
    Row(launches: "a b b", culprits: ["b"]),
    Row(launches: "a H a", culprits: []),
    Row(launches: "a a H", culprits: []),
    Row(launches: "a a H a", culprits: []),
    Row(launches: "a - a", culprits: ["a"]),
    Row(launches: "- - -", culprits: []),
    Row(launches: "a . a", culprits: []),
    Row(launches: ". .", culprits: []),
    Row(launches: "a,b b,c", culprits: ["b"]),
    Row(launches: "a,b a,b", culprits: ["a", "b"]),
    Row(launches: "a a a", culprits: ["a"], level: .followers),
    Row(launches: "a a b", culprits: ["a"], level: .followers),
    Row(launches: "a a .", culprits: ["a"], level: .followers),
    Row(launches: "a a - ", culprits: ["a"]),
    Row(launches: "a a b b", culprits: ["a", "b"], level: .followers),
    Row(launches: "a a b c d", culprits: ["a"], level: .followers),
    Row(launches: "a a a H", culprits: []),
    Row(launches: "a a H-a", culprits: ["a"]),
    Row(launches: "a H-a,b a", culprits: ["a"]),
    Row(launches: "a H-b a", culprits: []),
    Row(launches: "a a b H-a", culprits: ["a"], level: .followers),
    Row(launches: ". H-a .", culprits: []),
    Row(launches: "a", culprits: ["a"], crashes: 1),
    Row(launches: "a a", culprits: [], crashes: 3),
    Row(launches: "a a a", culprits: ["a"], crashes: 3),
    Row(launches: "a", culprits: ["a"], crashes: 0),
  ]

  @Test("The guard decides from the ends of the last launches", arguments: table)
  func decision(row: Row) {
    let launches = row.launches.split(separator: " ").map { launch -> EndedLaunch in
      switch launch {
      case "H": .healthy(without: [])
      case let launch where launch.hasPrefix("H-"):
        .healthy(without: Set(launch.dropFirst(2).split(separator: ",").map(String.init)))
      case "-": .neutral
      case ".": .crashed(in: [])
      default: .crashed(in: launch.split(separator: ",").map(String.init))
      }
    }
    let state = GuardState(after: launches, crashLimit: row.crashes)
    #expect(state.culprits == row.culprits)
    #expect((state.safeMode != nil) == !row.culprits.isEmpty)
    #expect(state.level == row.level)
    #expect(state.safeMode?.culprits ?? [] == row.culprits)
  }

  @Test("The guard's state has a reason and a JSON form")
  func words() {
    let crash = EndedLaunch.crashed(in: ["Push", "Fonts"])
    let state = GuardState(after: [crash, crash, crash])
    #expect(
      state.safeMode?.reason
        == "the last 3 launches crashed, in \"Push\" and \"Fonts\", most recently in safe mode")
    #expect(
      state.json() == """
        {"safeMode":true,"culprits":["Push","Fonts"],"level":"followers",\
        "reason":"the last 3 launches crashed, in \\"Push\\" and \\"Fonts\\", most recently in safe mode",\
        "crashes":3,"suspects":["Push","Fonts"]}
        """)
    let others = GuardState(after: [.crashed(in: ["Store"]), crash, crash])
    #expect(others.safeMode?.reason == "the last 2 launches crashed, in \"Push\" and \"Fonts\"")
    #expect(GuardState().json() == #"{"safeMode":false,"culprits":[],"crashes":0,"suspects":[]}"#)
  }
}
