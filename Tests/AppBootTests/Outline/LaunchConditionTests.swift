import AppBootLifecycle
import AppBoot
import AppBootSystem
import Testing

@Suite("Launch conditions")
struct LaunchConditionTests {
  private let variables = ["CI": "true", "EMPTY": "", "SECRET": "hunter2"]

  /// Returns the reason for skipping a step with this condition; `nil` if the step runs.
  private func skip(
    _ condition: String, _ options: LaunchOptions = LaunchOptions(), launches: Int = 0
  ) throws -> SkipReason? {
    let state = MemoryStateStore()
    if launches > 0 { state.write("launches", Array("\(launches)".utf8)) }
    let text = "{ \"commands\": [{ \"command\": \"Plain\", \"when\": \(condition) }] }"
    return try plan(text, CommandRegistry(Plain.self)) {
      $0.environment(variables).launchOptions(options).state(state)
    }[0].skip
  }

  @Test("A platform condition holds on the platforms it names")
  func platform() throws {
    let here = Host.platform
    let other = here == "ios" ? "linux" : "ios"
    #expect(try skip("{ \"platform\": \"\(here)\" }") == nil)
    #expect(try skip("{ \"platform\": [\"\(other)\", \"\(here)\"] }") == nil)
    #expect(try skip("{ \"platform\": \"\(other)\" }") == .condition("platform is \(here), not \(other)"))
    #expect(
      try skip("{ \"platform\": [\"\(other)\", \"tvos\"] }")
        == .condition("platform is \(here), not \(other) or tvos"))
  }

  @Test("An environment condition checks that a variable is set or has a value, and never shows it")
  func environment() throws {
    #expect(try skip(#"{ "environment": "CI" }"#) == nil)
    #expect(try skip(#"{ "environment": "EMPTY" }"#) == .condition("EMPTY is not set"))
    #expect(try skip(#"{ "environment": "NONE" }"#) == .condition("NONE is not set"))
    #expect(try skip(#"{ "environment": { "CI": "true", "EMPTY": "" } }"#) == nil)
    #expect(
      try skip(#"{ "environment": { "CI": "true", "SECRET": "x" } }"#) == .condition("SECRET is not \"x\""))
    #expect(try skip(#"{ "environment": { "NONE": "x" } }"#) == .condition("NONE is not set"))
  }

  @Test("A launch condition holds for the launch reasons it names")
  func launch() throws {
    #expect(try skip(#"{ "launch": "normal" }"#) == nil)
    #expect(
      try skip(#"{ "launch": ["url", "activity"] }"#) == .condition("launch is normal, not url or activity"))
    #expect(try skip(#"{ "launch": "url" }"#, LaunchOptions(url: "a://b")) == nil)
  }

  @Test("A launch is the first one if the state has no earlier launch")
  func firstLaunch() throws {
    #expect(try skip(#"{ "firstLaunch": true }"#) == nil)
    #expect(try skip(#"{ "firstLaunch": false }"#) == .condition("the first launch"))
    #expect(try skip(#"{ "firstLaunch": true }"#, launches: 2) == .condition("not the first launch"))
    #expect(try skip(#"{ "firstLaunch": false }"#, launches: 2) == nil)
  }

  @Test("All keys of a condition must hold, and the reason names the first that does not")
  func allKeys() throws {
    #expect(try skip("{}") == nil)
    #expect(
      try skip(#"{ "environment": "CI", "launch": "url", "firstLaunch": false }"#)
        == .condition("launch is normal, not url"))
  }

  @Test("The reason of all, any and not names the part that did not hold")
  func combinations() throws {
    #expect(try skip(#"{ "all": [{ "environment": "CI" }, { "firstLaunch": true }] }"#) == nil)
    #expect(
      try skip(#"{ "all": [{ "environment": "CI" }, { "launch": "url" }] }"#)
        == .condition("launch is normal, not url"))
    #expect(try skip(#"{ "any": [{ "environment": "NONE" }, { "environment": "CI" }] }"#) == nil)
    #expect(
      try skip(#"{ "any": [{ "environment": "NONE" }, { "launch": "url" }] }"#)
        == .condition("NONE is not set; launch is normal, not url"))
    #expect(try skip(#"{ "not": { "environment": "NONE" } }"#) == nil)
    #expect(try skip(#"{ "not": { "environment": "CI" } }"#) == .condition("environment CI holds"))
    #expect(
      try skip(#"{ "not": { "any": [{ "launch": ["url", "normal"] }, { "firstLaunch": false }] } }"#)
        == .condition("(launch url or normal or later launch) holds"))
    #expect(
      try skip(#"{ "not": { "not": { "environment": { "SECRET": "x" } } } }"#)
        == .condition("not environment SECRET=x holds"))
  }

  @Test(
    "Every mistake in a condition has its own message",
    arguments: [
      (
        "5",
        "\"when\" must be an object, not a number | write { \"environment\": \"CI\" }, { \"environment\": { \"CI\": \"true\" } } or { \"platform\": \"linux\" }"
      ),
      (
        #"{"platform":5}"#,
        "\"when.platform\" must be one of \"linux\", \"macos\", \"ios\", \"tvos\", \"watchos\", \"visionos\", or a list of values from \"linux\", \"macos\", \"ios\", \"tvos\", \"watchos\", \"visionos\", not a number"
      ),
      (#"{"platform":[]}"#, "\"when.platform\" must have at least one value"),
      (
        #"{"platform":"linus"}"#,
        "\"when.platform\" cannot be \"linus\" | did you mean \"linux\"? | it is one of \"linux\", \"macos\", \"ios\", \"tvos\", \"watchos\", \"visionos\""
      ),
      (
        #"{"launch":["normal",null]}"#,
        "\"when.launch[1]\" must be one of \"normal\", \"url\", \"activity\", \"quickAction\", \"notification\", \"background\", \"prewarm\", not null"
      ),
      (
        #"{"launch":"ulr"}"#,
        "\"when.launch\" cannot be \"ulr\" | did you mean \"url\"? | it is one of \"normal\", \"url\", \"activity\", \"quickAction\", \"notification\", \"background\", \"prewarm\""
      ),
      (#"{"firstLaunch":1}"#, "\"when.firstLaunch\" must be true or false, not a number"),
      (
        #"{"environment":""}"#,
        "\"when.environment\" must be a variable's name or an object of names and values | write \"CI\", or { \"CI\": \"true\" }"
      ),
      (
        #"{"environment":{}}"#,
        "\"when.environment\" must be a variable's name or an object of names and values | write \"CI\", or { \"CI\": \"true\" }"
      ),
      (
        #"{"environment":{"CI":true}}"#,
        "\"when.environment.CI\" must be a string, not true or false | write \"true\""
      ),
      (#"{"all":[]}"#, "\"when.all\" must have at least one value"),
      (#"{"any":{}}"#, "\"when.any\" must be a list of objects, not an object"),
      (
        #"{"not":[]}"#,
        "\"when.not\" must be an object, not an array | write { \"environment\": \"CI\" }, { \"environment\": { \"CI\": \"true\" } } or { \"platform\": \"linux\" }"
      ),
      (
        #"{"all":[{"nto":{}}]}"#,
        "unknown key \"nto\" in a condition | did you mean \"not\"? | its keys are platform, environment, launch, firstLaunch, all, any, not; custom keys begin with \"x-\""
      ),
    ])
  func mistakes(condition: String, message: String) {
    let found = problems(
      in: "{\"commands\":[{\"command\":\"Plain\",\"when\":\(condition)}]}",
      CommandRegistry(Plain.self))
    #expect(found.count == 1)
    #expect(found.first?.drop { $0 != " " }.dropFirst() == message[...])
  }
}

@Suite("Step selection")
struct StepSelectionTests {
  private let text = #"""
    { "commands": ["Plain", { "command": "Other", "when": { "not": {} } }, { "command": "Plain", "id": "c" }],
      "on": { "openURL": [{ "command": "Plain", "id": "open" }] } }
    """#

  private func skips(_ change: (LaunchPlan) throws -> LaunchPlan) throws -> [SkipReason?] {
    let plan = try change(try plan(text, CommandRegistry(Plain.self, Other.self)))
    return plan.map(\.skip) + (plan.events["openURL"]?.map(\.skip) ?? [])
  }

  private let condition = SkipReason.condition("() holds")

  @Test("Only conditions skip steps if there is no selection")
  func withoutSelection() throws {
    #expect(try skips { $0 } == [nil, condition, nil, nil])
  }

  @Test("Steps that --only does not name are skipped, in event handlers too")
  func only() throws {
    let other = SkipReason.excluded("not in --only")
    #expect(try skips { try $0.selecting(["c"]) } == [other, other, nil, other])
    #expect(try skips { try $0.selecting(["Other", "open"]) } == [other, condition, other, nil])
    #expect(try skips { try $0.selecting([]) } == [other, other, other, other])
  }

  @Test("A plan up to a step has the steps that must come before it, and nothing in event handlers")
  func upTo() throws {
    let other = SkipReason.excluded("not needed by --to Plain")
    #expect(try skips { try $0.selecting(upTo: ["Plain"]) } == [nil, other, other, other])
    #expect(throws: SelectionError.self) { try skips { try $0.selecting(upTo: ["x"]) } }
  }

  @Test("The option --skip skips the steps it names, and overrides --only")
  func skip() throws {
    #expect(
      try skips { try $0.skipping(["Other", "open"]) } == [
        nil, .excluded("--skip Other"), nil, .excluded("--skip open"),
      ])
    #expect(try skips { try $0.selecting(["c", "Plain"]).skipping(["c"]) }[2] == .excluded("--skip c"))
  }

  @Test("An unknown id is refused, and the error suggests the closest id or lists all")
  func unknown() throws {
    let close = #expect(throws: SelectionError.self) { try skips { try $0.selecting(["Pain"]) } }
    #expect(close?.description == "there is no step \"Pain\": did you mean \"Plain\"?")
    let far = #expect(throws: SelectionError.self) { try skips { try $0.skipping(["zzzzzz"]) } }
    #expect(far?.description == "there is no step \"zzzzzz\": the steps are Plain, Other, c, open")
    #expect(far?.unknown == ["zzzzzz"])
    #expect(far?.known == ["Plain", "Other", "c", "open"])
    let several = #expect(throws: SelectionError.self) {
      try skips { try $0.selecting(StepSelection(only: ["zzzzzz", "c"], skip: ["Pain"])) }
    }
    #expect(
      several?.description == "there are no steps \"Pain\", \"zzzzzz\": did you mean \"Plain\" for \"Pain\"?")
  }

  @Test("A mistake in the manifest is reported before one in the selection")
  func order() {
    #expect(throws: PlanError.self) {
      try plan(#"{ "commands": ["Plian"] }"#, CommandRegistry(Plain.self)).selecting(["x"])
    }
  }
}
