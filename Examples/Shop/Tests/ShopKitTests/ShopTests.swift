import AppBoot
import AppBootLifecycle
import AppBootTestKit
import ShopKit
import Testing

/// The shop with its manifest, a window and state of its own.
private struct Shop {
  let services = Services()
  let window = RecordingWindow(systemTheme: .dark)
  let state: MemoryStateStore
  let host: LifecycleHost

  init(
    environment: [String: String] = [:], store: String? = nil, state: MemoryStateStore = MemoryStateStore()
  ) throws {
    self.state = state
    if let store { state.write("store.txt", Array(store.utf8)) }
    let directory = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let plan = try StartupCommandsBuilder(
      reading: "/\(directory)/commands.json", registry: shopRegistry(services)
    )
    .window(window).state(state).environment(environment).build()
    .skipping(["RegisterRemoteNotifications"])
    host = LifecycleHost(plan, configuration: shopLifecycle(services))
  }

  func tell(_ event: LifecycleEvent) async -> LifecycleOutcome { await host.receive(event) }

  func launch(_ options: LaunchOptions = LaunchOptions()) async -> LifecycleOutcome {
    await tell(.didFinishLaunching(options))
  }

  func text(_ name: String) -> String? { state.read(name).map { String(decoding: $0, as: UTF8.self) } }
}

@Suite("The shop")
struct ShopTests {
  @Test("The launch shows a first screen and leaves the rest to event handlers")
  func launch() async throws {
    let shop = try Shop()
    let outcome = await shop.launch()
    #expect(outcome.succeeded)
    #expect(shop.window.screens.map(\.name) == ["Welcome"])
    #expect(outcome.record?["UseTestConfiguration"]?.state.name == "skipped")
    let calls = shop.services.calls
    #expect(Set(calls.prefix(2)) == ["crashes demo", "audio ambient"])
    #expect(calls.dropFirst(2).prefix(2) == ["log didFinishLaunching", "analytics launch normal"])
    // The handlers of one event follow those of the event before.
    _ = await shop.tell(.didBecomeActive)
    #expect(shop.services.calls.contains("log didShowFirstScreen"))
  }

  @Test("The first launch remembers its version, and a later one does not")
  func firstLaunch() async throws {
    let shop = try Shop()
    _ = await shop.launch()
    #expect(shop.text("first-version") == "1.0.0")
    shop.state.write("first-version", Array("0.9.0".utf8))
    _ = try await Shop(state: shop.state).launch()
    #expect(shop.text("first-version") == "0.9.0")
  }

  @Test("A library that the manifest lists is started with its options")
  func libraries() async throws {
    let shop = try Shop()
    _ = await shop.launch()
    #expect(shop.services.calls.contains("crashes demo"))
  }

  @Test("The window has the accent of the manifest and the theme of the system")
  func appearance() async throws {
    let shop = try Shop()
    #expect(await shop.launch().record?["Appearance"]?.details.note == "dark, #FF9500")
  }

  @Test("The shop asks for time in the background, and performs its own task and no others")
  func backgroundTasks() async throws {
    let shop = try Shop()
    _ = await shop.launch()
    _ = await shop.tell(.didEnterBackground)
    #expect(shop.services.calls.contains("schedule refresh"))
    #expect(await shop.tell(.performBackgroundTask("shop.refresh")).response.answer == .bool(true))
    #expect(shop.services.calls.contains("refresh"))
    #expect(await shop.tell(.performBackgroundTask("other")).response.answer == .bool(false))
  }

  @Test("The debug log has every event")
  func debugLog() async throws {
    let shop = try Shop()
    _ = await shop.launch()
    _ = await shop.tell(.custom("consentGranted"))
    let lines = shop.services.calls.filter { $0.hasPrefix("log ") }
    #expect(lines == ["log didFinishLaunching", "log didShowFirstScreen", "log consentGranted"])
  }

  @Test("The screens have the orientations that the launch allowed")
  func orientation() async throws {
    let shop = try Shop()
    #expect(shop.host.supportedInterfaceOrientations() == .all)
    _ = await shop.launch()
    #expect(shop.host.supportedInterfaceOrientations() == .portrait)
  }

  @Test("The handlers of a later event save the store that the launch migrated")
  func dataStore() async throws {
    let shop = try Shop(store: "12\n")
    let outcome = await shop.launch()
    #expect(outcome.record?["OpenStore"]?.details.note == "12 orders, migrated")
    #expect(shop.text("store.txt") == "v2 12\n")
    shop.state.write("store.txt", [])
    #expect(await shop.tell(.didEnterBackground).succeeded)
    #expect(shop.text("store.txt") == "v2 12\n")
    #expect(shop.services.calls.contains("schedule refresh"))
    let broken = try Shop(store: "v3 what")
    #expect(await broken.launch().succeeded == false)
  }

  @Test("The shop uses its test configuration if the variable is set")
  func testConfiguration() async throws {
    let shop = try Shop(environment: ["SHOP_UI_TEST": "1"])
    let outcome = await shop.launch()
    #expect(outcome.record?["UseTestConfiguration"]?.details.note == "http://127.0.0.1:8080")
  }

  @Test("The shop opens orders on top of the screen and leaves other URLs to their libraries")
  func thirdPartyDelegates() async throws {
    let shop = try Shop()
    _ = await shop.launch()
    #expect(await shop.tell(.openURL("shop://order/7")).response.answer == .bool(true))
    #expect(shop.window.screens.map(\.title) == ["Welcome to the shop", "Order 7"])
    #expect(await shop.tell(.openURL("pay:done")).succeeded)
    #expect(shop.services.calls.contains("pay took pay:done"))
    #expect(!shop.services.calls.contains { $0.hasPrefix("maps took") })
    #expect(shop.window.screens.map(\.title) == ["Welcome to the shop", "Order 7"])
  }

  @Test("The shop starts with the order of the launch's URL")
  func firstScreen() async throws {
    let shop = try Shop()
    _ = await shop.launch(LaunchOptions(url: "shop://order/9"))
    #expect(shop.window.screens.map(\.title) == ["Order 9"])
  }

  @Test("The shop clears its badge when it is active")
  func badge() async throws {
    let shop = try Shop()
    _ = await shop.launch()
    #expect(shop.services.badge == 3)
    _ = await shop.tell(.didBecomeActive)
    #expect(shop.services.badge == 0)
  }

  @Test("The shop sets its audio category, plays when it is active, and pauses when it is inactive")
  func audio() async throws {
    let shop = try Shop()
    _ = await shop.launch()
    _ = await shop.tell(.didBecomeActive)
    _ = await shop.tell(.willResignActive)
    let calls = shop.services.calls.filter { $0.hasPrefix("audio") }
    #expect(calls == ["audio ambient", "audio play", "audio pause"])
  }

  @Test("The shop performs its own quick actions and no others")
  func quickActions() async throws {
    let shop = try Shop()
    _ = await shop.launch()
    _ = await shop.tell(.didBecomeActive)
    #expect(shop.services.calls.contains("quick actions search"))
    #expect(await shop.tell(.performQuickAction("search")).response.answer == .bool(true))
    #expect(await shop.tell(.performQuickAction("dance")).response.answer == .bool(false))
  }

  @Test("The shop fetches for a notification, shows a banner, and reports a failed registration")
  func notifications() async throws {
    let shop = try Shop()
    _ = await shop.launch()
    #expect(await shop.tell(.didReceiveRemoteNotification(payload: "{}")).response.answer == .fetch(.newData))
    #expect(
      await shop.tell(.willPresentNotification(payload: "{}")).response.answer == .presentation([.banner]))
    _ = await shop.tell(.didFailToRegisterForRemoteNotifications(error: "offline"))
    #expect(shop.services.calls.contains("alert no notifications: offline"))
  }

  @Test("Analytics count only after the user agreed")
  func analytics() async throws {
    let shop = try Shop()
    _ = await shop.launch()
    #expect(!shop.services.calls.contains("analytics on"))
    _ = await shop.tell(.custom("consentGranted"))
    #expect(shop.services.calls.contains("analytics on"))
  }

  @Test("An unknown orientation is named in the error")
  func unknownOrientation() {
    var command = LockOrientation(OrientationLock())
    command.orientations = ["portrait", "sideways"]
    let record = LaunchPlan(sequence: [command]).runBlocking()
    #expect(record.failures.first?.state.failure?.message.contains("\"sideways\"") == true)
  }
}
