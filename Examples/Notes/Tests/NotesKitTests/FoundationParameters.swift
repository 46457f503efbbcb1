// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The conformances are as short as on the page that shows them.

import AppBoot
import AppBootFoundation
import Foundation

struct Region: Sendable {
  var name: String
}

extension Region: ParameterValue {
  static var parameterType: ParameterType<Region> {
    .text("a region like \"eu-central\"", placeholder: Region(name: "")) { Region(name: $0) }
  }
}

enum Quality: String, CaseIterable, ParameterValue { case low, high }

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
