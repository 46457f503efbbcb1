import AppBootTool
import ShopKit

AppBootTool(name: "shop", version: "1.0.0", registry: shopRegistry()) { shopLifecycle(Services.shared) }
  .main()
