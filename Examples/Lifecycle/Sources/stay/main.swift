import AppBoot
import LifecycleKit

let plan = try LaunchPlan("Stay") {
  Step("database", RunLifecycleService(Ticker("database")))
  Step("server", RunLifecycleService(Ticker("server")))
  On(.didBecomeActive) { Step("show") { _ in Ticker.show("ready") } }
  On(.willTerminate) { Step("save") { _ in Ticker.show("saved") } }
}
try await stay(plan)
Ticker.show("app ended")
