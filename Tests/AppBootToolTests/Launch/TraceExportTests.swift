import Testing

@testable import AppBootTool

@Suite("OpenTelemetry's endpoint")
struct TraceExportTests {
  private func endpoint(_ variables: [String: String]) -> TraceEndpoint? {
    TraceEndpoint { variables[$0] }
  }

  @Test("/v1/traces is added to the general endpoint only")
  func urls() {
    #expect(endpoint([:]) == nil)
    #expect(endpoint(["OTEL_EXPORTER_OTLP_ENDPOINT": ""]) == nil)
    #expect(endpoint(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"])?.url == "http://c:4318/v1/traces")
    #expect(endpoint(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c/base/"])?.url == "http://c/base/v1/traces")
    let both = [
      "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://t/custom",
    ]
    #expect(endpoint(both)?.url == "http://t/custom")
  }

  @Test(
    "The export is off if the SDK is disabled or traces have no exporter",
    arguments: [("OTEL_SDK_DISABLED", "True"), ("OTEL_TRACES_EXPORTER", "none")])
  func off(name: String, value: String) {
    #expect(endpoint(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", name: value]) == nil)
    #expect(endpoint(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", name: "other"]) != nil)
  }

  @Test("Headers are decoded, and those of traces replace the others")
  func headers() {
    var variables = [
      "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c",
      "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Basic%20YTpi=, tenant = shop,broken",
    ]
    let both = endpoint(variables)?.headers ?? []
    #expect(both.map(\.name) == ["authorization", "tenant"])
    #expect(both.map(\.value) == ["Basic YTpi=", "shop"])
    variables["OTEL_EXPORTER_OTLP_TRACES_HEADERS"] = "key=1"
    #expect(endpoint(variables)?.headers.map(\.name) == ["key"])
  }
}
