import AppBoot
import LifecycleKit
import Logging
import ServiceLifecycle

let plan = LaunchPlan(
  name: "Group",
  sequence: [RunLifecycleService(Ticker("database")), RunLifecycleService(Ticker("server"))])
let group = ServiceGroup(
  configuration: ServiceGroupConfiguration(
    services: [.init(service: try AppBootService(plan))], gracefulShutdownSignals: [.sigterm],
    logger: Logger(label: "group")))
try await group.run()
Ticker.show("group ended")
