import AppBoot
import AppBootC
import AppBootCommands
import AppBootTool

var registry = CommandRegistry()
registry.register(StockCommands.all)
CommandLineTool(version: "0.1.0" + String(cString: appboot_commit()), registry: registry).main()
