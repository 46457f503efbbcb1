public import AppBoot
import AppBootCommands

/// Returns the commands of the example.
public func lifecycleRegistry() -> CommandRegistry {
  var registry = CommandRegistry(Heartbeat.self, Mailbox.self)
  registry.register(StockCommands.all)
  registry.register(RunLifecycleService.self) { RunLifecycleService(Ticker("ticker")) }
  return registry
}
