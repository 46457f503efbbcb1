import AppBootTool
import LifecycleKit

CommandLineTool(name: "server", version: "1.0.0", registry: lifecycleRegistry()).main()
