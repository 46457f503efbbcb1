import AppBoot
import AppBootCommands
import AppBootTool

AppBootTool(name: "appboot", version: "0.1.0", registry: CommandRegistry()).main()
