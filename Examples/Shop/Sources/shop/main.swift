import AppBootTool
import ShopKit

CommandLineTool(name: "shop", version: "1.0.0", registry: shopRegistry()) { shopLifecycle(Services.shared) }
  .main()
