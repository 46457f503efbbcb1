import AppBootTool
import ShopKit

let services = Services()
CommandLineTool(name: "shop", version: "1.0.0", registry: shopRegistry(services)) { shopLifecycle(services) }
  .main()
