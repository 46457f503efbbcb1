import AppBootTool
import ShopKit

@main
struct ShopTool {
  static func main() async {
    let services = Services()
    let tool = CommandLineTool(name: "shop", version: "1.0.0", registry: shopRegistry(services)) {
      shopLifecycle(services)
    }
    await tool.run()
  }
}
