import AppBoot
import AppBootLifecycle
import AppBootTestKit
import ShopKit
import Testing

@Test("The shipped manifest launches and shows a screen")
func launches() async throws {
  let window = RecordingWindow()
  let directory = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let manifest = "\(directory)/commands.json"
  let plan = try StartupCommandsBuilder(reading: manifest, registry: shopRegistry(Services()))
    .window(window).state(MemoryStateStore()).build()
  let record = await plan.run()
  #expect(record.succeeded)
  #expect(window.screens.count == 1)
}
