import AppBoot
import AppBootCommands
import AppBootTool

var registry = CommandRegistry()
registry.register(StockCommands.all)
CommandLineTool(version: "0.1.0", registry: registry).main()
