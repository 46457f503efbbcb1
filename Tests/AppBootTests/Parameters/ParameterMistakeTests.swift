import AppBoot
import Testing

@Suite("Mistakes in parameters")
struct ParameterMistakeTests {
  @Test("The error for a missing required parameter has its name, type and help")
  func missing() {
    #expect(
      problems(of: Required.self, with: "{}") == [
        "1:29: Required needs \"name\" | add \"name\", a string: The name.",
        "1:29: Required needs \"mode\" | add \"mode\", one of \"fast\", \"slow\": How.",
        "1:29: Required needs \"hidden\" | add \"hidden\", one of \"one\", \"two\": Which.",
        "1:29: Required needs \"time\" | add \"time\", a duration such as \"250ms\": How long.",
        "1:29: Required needs \"count\" | add \"count\", a whole number",
        "1:29: Required needs \"list\" | add \"list\", a list of strings: The list.",
        "1:29: Required needs \"server\" | add \"server\", an object: The group.",
        "1:29: Required needs \"point\" | add \"point\", an object: The point.",
      ])
    #expect(problems(in: #"{ "commands": ["Required"] }"#, CommandRegistry(Required.self)).count == 8)
  }

  @Test("Every mistake is reported at once, each at its own place")
  func wrongTypes() {
    let parameters = #"""
      { "string": 1,
        "double": "2",
        "flag": "true",
        "duration": 250,
        "level": "hihg",
        "list": ["a", 1.5],
        "set": {},
        "durations": ["250", "2x", 3],
        "dictionary": { "a": true },
        "levels": { "a": "medium" },
        "matrix": [1, [300]],
        "point": { "x": "1", "z": 1 },
        "server": { "prot": 1, "port": 70000, "users": "u" },
        "servers": [{}],
        "maybeLevel": 5 }
      """#
    let levels = "it is one of \"low\", \"high\""
    let keys = "its keys are host, port, users; custom keys begin with \"x-\""
    #expect(
      problems(of: Kinds.self, with: parameters) == [
        "2:13: \"string\" must be a string, not a number | write \"1\"",
        "3:13: \"double\" must be a number, not a string",
        "4:11: \"flag\" must be true or false, not a string | write true",
        "5:15: \"duration\" must be a duration such as \"250ms\", not a number | write \"250s\" or \"250ms\"",
        "6:12: \"level\" cannot be \"hihg\" | did you mean \"high\"? | \(levels)",
        "7:12: \"list[0]\" must be a whole number, not a string",
        "7:17: \"list[1]\" must be a whole number, not 1.5",
        "8:10: \"set\" must be a list of strings, not an object",
        "9:17: \"durations[0]\" is not a duration: \"250\" has no unit | write \"250s\" or \"250ms\"; the units are h, m, s, ms, us, ns",
        "9:24: \"durations[1]\" is not a duration: unknown unit \"x\" | the units are h, m, s, ms, us, ns",
        "9:30: \"durations[2]\" must be a duration such as \"250ms\", not a number | write \"3s\" or \"3ms\"",
        "10:24: \"dictionary.a\" must be a whole number, not true or false",
        "11:20: \"levels.a\" cannot be \"medium\" | \(levels)",
        "12:14: \"matrix[0]\" must be a list of whole numbers from -128 to 127, not a number | write [1]",
        "12:18: \"matrix[1][0]\" must be a whole number from -128 to 127, not 300",
        "13:19: \"point.x\" must be a whole number, not a string | write 1",
        "13:24: unknown key \"z\" in \"point\" | its keys are x, y, label; custom keys begin with \"x-\"",
        "14:15: unknown key \"prot\" in \"server\" | did you mean \"port\"? | \(keys)",
        "14:34: \"server.port\" must be a whole number from 0 to 65535, not 70000",
        "14:50: \"server.users\" must be a list of strings, not a string | write [\"u\"]",
        "15:15: \"servers[0]\" needs \"port\" | add \"port\", a whole number from 0 to 65535: The port.",
        "16:17: \"maybeLevel\" must be one of \"low\", \"high\", not a number",
      ])
  }

  @Test(
    "The error for a value of the wrong kind shows how to write it",
    arguments: [
      (#"{ "arguments": "echo hi" }"#, #"write ["echo", "hi"]"#),
      (#"{ "arguments": "echo $HOME" }"#, #"write ["sh", "-c", "echo $HOME"]"#),
      (#"{ "arguments": "A=1 make" }"#, #"write ["sh", "-c", "A=1 make"]"#),
      (#"{ "names": "HOME" }"#, #"write ["HOME"]"#),
      (#"{ "policy": "always" }"#, "its keys are when, attempts"),
      (#"{ "policy": { "attempts": "3" } }"#, "write 3"),
      (#"{ "names": [8080] }"#, #"write "8080""#),
    ])
  func wrongKind(parameters: String, help: String) {
    let problems = problems(of: WrongKinds.self, with: parameters)
    #expect(problems.count == 1 && problems[0].hasSuffix(" | \(help)"), "\(problems)")
  }

  @Test("The error for an unknown parameter suggests the closest one")
  func unknown() {
    #expect(
      problems(of: Integers.self, with: #"{ "uint61": 1 }"#) == [
        "2:3: unknown key \"uint61\" in Integers | did you mean \"uint16\"? | its keys are int, int8, int16, "
          + "int32, int64, uint, uint8, uint16, uint32, uint64; custom keys begin with \"x-\""
      ])
    #expect(
      problems(of: Plain.self, with: #"{ "a": 1 }"#) == [
        "2:3: unknown key \"a\" in Plain | it has no keys; custom keys begin with \"x-\""
      ])
  }

  @Test("A long text is shortened in the message")
  func longTexts() {
    let long = String(repeating: "y", count: 100_000)
    let found = problems(of: Kinds.self, with: "{ \"level\": \"\(long)\", \"\(long)\": 1 }")
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.utf8.count < 500 })
  }

  @Test("A `with` that is not an object is one mistake, and a duplicate parameter is another")
  func form() {
    #expect(
      problems(of: Plain.self, with: "[]") == ["2:1: \"with\" must be an object of parameters, not an array"])
    #expect(
      problems(of: Kinds.self, with: #"{ "flag": true, "flag": false }"#) == [
        "2:17: duplicate key \"flag\" | remove one of the two, or rename it @ 2:3: the first is here"
      ])
  }
}
