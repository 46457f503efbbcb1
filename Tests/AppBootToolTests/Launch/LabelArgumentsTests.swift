import AppBoot
import AppBootSystem
import Testing

@testable import AppBootTool

@Suite("The labels of a launch")
struct LabelArgumentsTests {
  private func labels(_ given: [String], _ variables: [String: String] = [:]) throws -> [LaunchLabel] {
    let arguments = try ArgumentParser.parse(given.map { "--label=\($0)" }, for: RunSubcommand.self)
    return try LabelArguments.labels(arguments) { variables[$0] }
  }

  @Test("Labels are sorted by name, and a value may contain an equals sign")
  func given() throws {
    #expect(try labels([]) == [])
    #expect(
      try labels(["version=2.1", "flags=a=b, c"]) == [
        LaunchLabel("flags", "a=b, c"), LaunchLabel("version", "2.1"),
      ])
  }

  @Test("A value has no spaces around it, from each source")
  func trimmed() throws {
    let variables = [
      "APPBOOT_LABELS": "region=%20eu%20", "OTEL_SERVICE_NAME": " shop ", "CI": "true", "GIT_COMMIT": "1f2e ",
      "GIT_BRANCH": " main",
    ]
    #expect(
      try labels(["version=2 1 "], variables) == [
        LaunchLabel("branch", "main"), LaunchLabel("commit", "1f2e"), LaunchLabel("region", "eu"),
        LaunchLabel("service.name", "shop"), LaunchLabel("version", "2 1"),
      ])
  }

  @Test(
    "An invalid label is an error that names the problem",
    arguments: [
      ("main", "it has no \"=\""), ("=main", "a name has 1 to 40 ASCII letters"),
      ("a b=main", "a name has 1 to 40 ASCII letters"), ("branch=", "the value is empty"),
      ("branch=  ", "the value is empty"),
      ("branch=a\u{1B}[1m", "no control characters"),
      ("branch=\(String(repeating: "x", count: 201))", "at most 200 bytes"),
    ])
  func invalid(text: String, problem: String) {
    let error = #expect(throws: UsageError.self) { try labels([text]) }
    #expect(error?.message.hasPrefix("--label needs NAME=VALUE, not \"") == true)
    #expect(error?.message.contains(problem) == true)
  }

  @Test("A label that is given twice is an error, and so are more than 16 labels")
  func tooMany() throws {
    let error = #expect(throws: UsageError.self) { try labels(["a=1", "a=2"]) }
    #expect(error?.message == "the label \"a\" is given twice")
    let many = #expect(throws: UsageError.self) { try labels((0...16).map { "l\($0)=x" }) }
    #expect(many?.message.contains("at most 16 labels are allowed") == true)
  }

  @Test("On a CI server, commit and branch are labels")
  func servers() throws {
    let main = [LaunchLabel("branch", "main"), LaunchLabel("commit", "1f2e")]
    let github = ["CI": "true", "GITHUB_SHA": "1f2e", "GITHUB_REF_NAME": "main"]
    #expect(try labels([], github) == main)
    let gitlab = ["CI": "true", "CI_COMMIT_SHA": "1f2e", "CI_COMMIT_REF_NAME": "main"]
    #expect(try labels([], gitlab) == main)
    #expect(try labels([], ["JENKINS_URL": "x", "GIT_COMMIT": "1f2e", "GIT_BRANCH": "main"]) == main)
    #expect(try labels([], ["CI": "1", "CIRCLE_SHA1": "1f2e"]) == [LaunchLabel("commit", "1f2e")])
  }

  @Test("A pull request has the label of its own branch")
  func pullRequest() throws {
    let variables = [
      "CI": "true", "GITHUB_SHA": "1f2e", "GITHUB_REF_NAME": "7/merge", "GITHUB_HEAD_REF": "fix",
    ]
    #expect(try labels([], variables) == [LaunchLabel("branch", "fix"), LaunchLabel("commit", "1f2e")])
  }

  @Test("The variables of a CI server have no effect elsewhere, and a given label replaces theirs")
  func replaced() throws {
    #expect(try labels([], ["GIT_COMMIT": "1f2e"]) == [])
    let variables = ["CI": "true", "GITHUB_SHA": "1f2e", "GITHUB_REF_NAME": "main"]
    #expect(
      try labels(["branch=mine"], variables) == [
        LaunchLabel("branch", "mine"), LaunchLabel("commit", "1f2e"),
      ]
    )
  }

  @Test("APPBOOT_LABELS adds labels, and those of the arguments replace them")
  func variable() throws {
    let variables = ["APPBOOT_LABELS": "region=eu%2Cwest, version=1"]
    #expect(
      try labels(["version=2"], variables) == [
        LaunchLabel("region", "eu,west"), LaunchLabel("version", "2"),
      ])
    let error = #expect(throws: UsageError.self) { try labels([], ["APPBOOT_LABELS": "region"]) }
    #expect(error?.message == #"APPBOOT_LABELS needs NAME=VALUE, not "region": it has no "=""#)
  }

  @Test("OpenTelemetry's attributes become labels, except invalid ones")
  func resource() throws {
    let variables = [
      "OTEL_SERVICE_NAME": "shop",
      "OTEL_RESOURCE_ATTRIBUTES": "service.name=other,deployment.environment=prod,a b=x,empty=,alone",
    ]
    #expect(
      try labels([], variables) == [
        LaunchLabel("deployment.environment", "prod"), LaunchLabel("service.name", "shop"),
      ])
  }

  @Test("The name of the machine is a label on request, and of a launch that is sent")
  func host() throws {
    let name = try #require(Host.name)
    #expect(try labels(["host.name"]) == [LaunchLabel("host.name", name)])
    #expect(try labels([], ["APPBOOT_LABELS": "host.name"]) == [LaunchLabel("host.name", name)])
    let sent = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"]
    #expect(try labels([], sent) == [LaunchLabel("host.name", name)])
    #expect(try labels(["host.name=mine"], sent) == [LaunchLabel("host.name", "mine")])
  }
}
