import AppBoot
import Testing

@Suite("The closest name")
struct ClosestNameTests {
  private let commands = ["InitializeThirdParties", "Appearance", "InitialScreen", "RunProcess", "WaitFor"]

  @Test(
    "A mistyped name matches the intended one",
    arguments: [
      ("InitialScren", "InitialScreen"), ("initialscreen", "InitialScreen"), ("Apearence", "Appearance"),
      ("RnuProcess", "RunProcess"), ("WaitForr", "WaitFor"), ("WiatFor", "WaitFor"),
      ("runprocess", "RunProcess"),
      ("InitialiseThirdParty", "InitializeThirdParties"),
    ])
  func near(name: String, meant: String) {
    #expect(ClosestName.to(name, among: commands) == meant)
  }

  @Test(
    "A name without a close candidate has no match",
    arguments: ["", "x", "Launch", "Screen", "WaitForever", "日本語"])
  func far(name: String) {
    #expect(ClosestName.to(name, among: commands) == nil)
    #expect(ClosestName.to(name, among: []) == nil)
  }

  @Test("A short name allows one edit, and a name of one letter only a change of case")
  func short() {
    #expect(ClosestName.to("di", among: ["id"]) == "id")
    #expect(ClosestName.to("ont", among: ["on"]) == "on")
    #expect(ClosestName.to("b", among: ["a"]) == nil)
    #expect(ClosestName.to("A", among: ["a"]) == "a")
  }

  @Test("A difference only in case wins, then the smaller distance, then the earlier name")
  func ties() {
    #expect(ClosestName.to("step", among: ["steps", "STEP"]) == "STEP")
    #expect(ClosestName.to("stepx", among: ["step12", "step1"]) == "step1")
    #expect(ClosestName.to("step0", among: ["step2", "step1"]) == "step2")
  }

  @Test("A name of a million letters matches only itself")
  func long() {
    let name = String(repeating: "a", count: 1_000_000)
    #expect(ClosestName.to(name, among: [name + "b", "a"]) == nil)
    #expect(ClosestName.to(name, among: [name]) == name)
  }

  @Test("Prepared candidates can be searched many times")
  func prepared() {
    let names = ClosestName(among: (0..<2000).map { "step\($0)" })
    #expect(names.match(for: "stpe1999") == "step1999")
    #expect(names.match(for: "Step12") == "step12")
    #expect(names.match(for: "elsewhere") == nil)
  }
}
