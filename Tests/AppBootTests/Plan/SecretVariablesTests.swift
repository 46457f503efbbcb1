import AppBootSchema
import AppBoot
import AppBootRecords
import Testing

@Suite("The secret variables of a plan in code")
struct SecretVariablesTests {
  private func builder(@PlanBuilder<PlanPart> _ steps: () -> [PlanPart]) -> StartupCommandsBuilder {
    StartupCommandsBuilder(steps: steps)
      .environment(["DATABASE_URL": "hunter22", "API_KEY": "secret-key", "HOST": "h.org"])
  }

  private func show(_ id: String) -> Step {
    Step(id) { context in
      let values = ["DATABASE_URL", "API_KEY", "HOST"].compactMap(context.environment)
      context.note(values.joined(separator: " "))
    }
  }

  @Test("The values of named and matching variables are hidden in the record")
  func hidden() async throws {
    let record = try await builder {
      SecretVariables("DATABASE_URL", matching: "_KEY$")
      show("all").when(.environment("DATABASE_URL", is: "hunter22"))
    }.build().run()
    #expect(record["all"]?.details.note == "*** *** h.org")
    #expect(!record.json().contains("hunter22"))
  }

  @Test("An invalid name or pattern is a mistake at its line")
  func mistakes() throws {
    let line = #line
    let builder = builder {
      SecretVariables("API-KEY")
      SecretVariables(matching: "(")
      show("all")
    }
    let error = #expect(throws: PlanError.self) { try builder.build() }
    let found = error?.mistakes.map { "\($0.line - line): \($0.message)" } ?? []
    #expect(found.first?.hasPrefix("2: a name in \"SecretVariables\" has only letters") == true)
    #expect(found.last?.hasPrefix("3: \"matching\" is not an extended regular expression") == true)
  }

  @Test("A name that is not set causes a warning if a variable with a similar name is set")
  func unset() throws {
    let plan = try builder {
      SecretVariables("DATABASE_URI")
      show("all")
    }.build()
    #expect(
      plan.warnings.map(\.message) == [
        "the variable \"DATABASE_URI\" is not set, so its value cannot be hidden"
      ])
  }
}
