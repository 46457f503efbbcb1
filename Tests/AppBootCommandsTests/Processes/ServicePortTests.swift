import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("ServicePort")
struct ServicePortTests {
  private func problems(_ with: String, _ next: String = "") throws -> [String] {
    let service = #"{ "command": "RunService", "id": "web", "with": { \#(with) } }"#
    return try TestLaunch("[\(service)\(next.isEmpty ? "" : ", \(next)")]").problems()
  }

  @Test("A port is a number from 1 to 65535, or the first of a search")
  func forms() throws {
    #expect(try problems(#""arguments": ["a"], "port": 8080"#).isEmpty)
    #expect(try problems(#""arguments": ["a"], "port": { "from": 8080 }"#).isEmpty)
    #expect(
      try problems(#""arguments": ["a"], "port": { "from": 1, "number": 2 }"#)
        == [#""port": give a number, or { "from": 8080 } for the next free port"#])
    #expect(
      try problems(#""arguments": ["a"], "port": 0"#)
        == [#""port.number" must be a whole number from 1 to 65535, not 0"#])
  }

  @Test("A port's name and a variable that is set twice are checked")
  func names() throws {
    #expect(
      try problems(#""arguments": ["a"], "ports": { "a b": 80 }"#)
        == [#""ports.a b": a port's name has only letters, digits, "_" and "-""#])
    #expect(
      try problems(#""arguments": ["a"], "port": 80, "environment": { "PORT": "1" }"#)
        == [#""environment.PORT": the port of the service sets this variable: remove it here"#])
    #expect(
      try problems(#""arguments": ["a"], "port": 80, "ports": { "x": 80 }"#)
        == [#""ports.x": 80 is another port of the service: give each port its own number"#])
    #expect(
      try problems(#""arguments": ["a"], "ports": { "a-b": 80, "A_B": 81 }"#)
        == [#""ports": "A_B" and "a-b" have the same variable PORT_A_B: rename one"#])
  }

  @Test("A placeholder of a port that the service does not declare is an error")
  func undeclared() throws {
    let message = #"{port.api} has no value: declare it in "ports" of the service"#
    #expect(try problems(#""arguments": ["a", "{port.api}"], "port": 80"#) == [#""arguments": \#(message)"#])
    #expect(
      try problems(#""arguments": ["a"], "ready": "http://127.0.0.1:{port}/""#)
        == [#""ready": {port} has no value: declare it in "port" of the service"#])
    #expect(try problems(#""arguments": ["a", "{port}"]"#).isEmpty)
    #expect(
      try problems(#""arguments": ["a"], "port": 80, "ready": { "tcp": "[::1]:{port}" }"#).isEmpty)
  }

  @Test("The port of a service can only be inserted into later entries")
  func later() throws {
    func wait(_ placeholder: String, _ members: String = "") -> String {
      #"{ "command": "WaitFor", "id": "w"\#(members), "with": { "tcp": "localhost:\#(placeholder)" } }"#
    }
    let web = #""arguments": ["a"], "port": 80"#
    #expect(try problems(web, wait("{service.web.port}")).isEmpty)
    #expect(
      try problems(web, wait("{service.web.port}", #", "after": []"#))
        == [#""tcp": "web" does not come before this step"#])
    #expect(try problems(web, wait("{service.wep.port}")) == [#""tcp": no entry has the id "wep""#])
    #expect(
      try problems(web, wait("{service.web.port.admin}")) == [
        #""tcp": {service.web.port.admin} has no value"#
      ])
    #expect(
      try problems(#""arguments": ["a"]"#, wait("{service.web.port}"))
        == [#""tcp": {service.web.port} has no value"#])
    #expect(
      try problems(#""arguments": ["a", "{service.web.port}"], "port": 80"#)
        == [#""arguments[1]": a service cannot refer to itself"#])
    #expect(
      try problems(web, wait("{service.web}")) == [
        #""tcp": unknown placeholder {service.web}: write {service.ID.port}, or {service.ID.port.NAME} for one of "#
          + #""ports""#
      ])
    #expect(
      try problems(web, #"{ "run": "curl localhost:{service.web.port}" }"#)
        == [#""run" must not contain {service.…}: the shell would run a value as code"#])
  }

  @Test("A handler's reference to a service of the launch is checked")
  func ofHandler() throws {
    func problems(_ id: String) throws -> [String] {
      var launch = TestLaunch(
        #"""
        [ { "command": "RunService", "id": "web", "with": { "arguments": ["a"], "port": 80 } },
          { "run": "true", "id": "a" } ]
        """#)
      let wait = #"{ "command": "WaitFor", "with": { "tcp": "localhost:{service.\#(id)}" } }"#
      launch.members = #""on": { "didBecomeActive": [\#(wait)] },"#
      return try launch.problems()
    }
    #expect(try problems("web.port").isEmpty)
    #expect(try problems("web.port.x") == [#""tcp": {service.web.port.x} has no value"#])
    #expect(try problems("a.port") == [#""tcp": "a" is a RunProcess, which is not a service"#])
  }

  @Test("Ports fill texts and variables by their names")
  func filled() {
    let ports = PortNumbers(["": 8080, "admin-api": 9000])
    #expect(
      ports.filled("{port} {port.admin-api} {port.x} {{port}} {ports}") == "8080 9000 {port.x} {port} {ports}"
    )
    #expect(ports.variables == ["PORT": "8080", "PORT_ADMIN_API": "9000"])
    #expect(ports.words == "ports 8080, admin-api 9000")
    #expect(PortNumbers().filled("{port}") == "{port}")
  }

  @Test("A reference to a port has an id, which may contain dots, and a name")
  func reference() throws {
    let plain = try #require(PortNumbers.reference("service.a.b.port"))
    #expect(plain == (id: "a.b", name: ""))
    let named = try #require(PortNumbers.reference("service.a.port.port.x"))
    #expect(named == (id: "a.port", name: "x"))
    #expect(PortNumbers.reference("service.port") == nil)
    #expect(PortNumbers.reference("step.a.port") == nil)
  }
}
