import AppBoot
import AppBootTool
import ShopKit

let services = Services()

// In main.swift, `await` selects the asynchronous form: the steps can use the main actor.
let icon = AppIcon(services)
let plan = try LaunchPlan {
  Step("offer") { _ in await icon.offer(["search"]) }
  Step.onMainActor("add") { _ in icon.offer(icon.actions + ["basket"]) }.after("offer")
}
let record = await plan.run()
guard record.succeeded, icon.actions == ["search", "basket"] else { fatalError("\(record)") }

let tool = CommandLineTool(name: "shop", version: "1.0.0", registry: shopRegistry(services)) {
  shopLifecycle(services)
}
await tool.run()
