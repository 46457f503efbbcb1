import Testing

@testable import AppBoot

@Suite("Numbers in JSON")
struct JSONNumberTests {
  private func error(_ description: String) -> JSONNumberError { JSONNumberError(description: description) }

  @Test(
    "A number without a fraction is an integer, however it is written",
    arguments: [
      ("0", 0), ("-0", 0), ("-0.0e5", 0), ("0e999999999999999999999", 0), ("1.0", 1), ("1e2", 100),
      ("10e-1", 1),
      ("1.5e1", 15), ("-12.50e+1", -125), ("100", 100), ("1000e-3", 1), ("0.001e3", 1), ("120.0", 120),
      ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
      ("0.00000000000000000000000000000000000000000001e44", 1),
    ] as [(String, Int64)])
  func integers(text: String, value: Int64) throws {
    #expect(try read(text).root.integer(as: Int64.self) == value)
  }

  @Test(
    "A number with a fraction is not an integer",
    arguments: ["1.5", "1e-1", "0.1", "15e-1"])
  func fractions(text: String) throws {
    let value = try read(text).root
    #expect(throws: error("\(text) is not a whole number")) { try value.integer(as: Int.self) }
  }

  @Test(
    "An integer that does not fit its type is out of range",
    arguments: [
      "128", "-129", "1e400", "-1e99999999999999999999", "1.28e2", "100000000000000000000000000000",
    ])
  func ranges(text: String) throws {
    let value = try read(text).root
    #expect(throws: error("\(text) is not between -128 and 127")) {
      try value.integer(as: Int8.self)
    }
  }

  @Test("Unsigned integers have their own limits")
  func kinds() throws {
    #expect(try read("255").root.integer(as: UInt8.self) == 255)
    #expect(try read("-0").root.integer(as: UInt8.self) == 0)
    #expect(try read("18446744073709551615").root.integer(as: UInt64.self) == UInt64.max)
    #expect(throws: JSONNumberError.self) { try read("-1").root.integer(as: UInt.self) }
    #expect(throws: error("expected a number, found a string")) {
      try read("\"1\"").root.integer(as: Int.self)
    }
  }

  @Test("A long integer is refused, and the error shortens it")
  func longNumbers() throws {
    let value = try read(String(repeating: "9", count: 100_000)).root
    #expect(
      throws: error(
        "\(String(repeating: "9", count: 40))… is not between -128 and 127")
    ) { try value.integer(as: Int8.self) }
    #expect(throws: JSONNumberError.self) { try value.double() }
  }

  @Test("A double is the nearest one to the text, and never infinite")
  func doubles() throws {
    #expect(try read("0.1").root.double() == 0.1)
    #expect(try read("-1.5e3").root.double() == -1500)
    #expect(try read("1e-400").root.double() == 0)
    #expect(try read("1.7976931348623157e308").root.double() == Double.greatestFiniteMagnitude)
    #expect(throws: JSONNumberError.self) { try read("1e400").root.double() }
    #expect(throws: JSONNumberError.self) { try read("-1e400").root.double() }
    #expect(throws: error("expected a number, found true or false")) { try read("true").root.double() }
  }
}
