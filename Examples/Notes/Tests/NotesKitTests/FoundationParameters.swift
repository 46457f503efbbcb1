// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The conformances are as short as on the page that shows them.

import AppBoot
import Foundation

extension URL: @retroactive ExpressibleByParameter {
  public init?(parameter text: String) { self.init(string: text, encodingInvalidCharacters: false) }
  public static var parameterDescription: String { "a URL like \"https://example.com\"" }
}

extension Decimal: @retroactive ExpressibleByParameter {
  public init?(parameter text: String) { self.init(string: Double(text) == nil ? "" : text) }
  public static var parameterDescription: String { "a decimal number like \"19.99\"" }
}

extension Date: @retroactive ExpressibleByParameter {
  public init?(parameter text: String) {
    guard let date = try? Date(text, strategy: .iso8601) else { return nil }
    self = date
  }
  public static var parameterDescription: String { "a time like \"2026-01-31T08:00:00Z\"" }
}

enum Quality: String { case low, high }

struct Upload: Command {
  @Parameter("The address.") var endpoint: URL?
  @Parameter("The price.") var price: Decimal = 0
  @Parameter("The end of the offer.") var end = Date.distantFuture
  @Parameter("The quality of the pictures.") var quality = Quality.high
  @Parameter("The token of the server.") var token: Secret

  func execute(in context: LaunchContext) throws {
    context.note("\(endpoint?.host() ?? "-") \(price) \(end.timeIntervalSince1970) \(quality)")
    context.output("sent \(token.reveal())")  // the record has: sent ***
  }
}
