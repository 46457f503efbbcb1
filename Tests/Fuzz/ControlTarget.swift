@testable import AppBoot
@testable import AppBootLifecycle
@testable import AppBootTool

/// Reads a request of the control socket, and the event that it names.
func fuzzControl(_ bytes: [UInt8]) {
  do throws(ControlError) {
    let request = try ControlRequest(json: bytes)
    let json = request.json(toAppOf: nil)
    requireJSON(json, "the request")
    let again = try? ControlRequest(json: Array(json.utf8))
    require(again == request, "the request has changed: \(shown(json))")
    if case .emit(let event, let payload, let url, let scene) = request {
      checkEvent(event, payload, url, scene.map { SceneID($0) })
    }
  } catch {
    checkAnswer(error)
  }
}

private func checkEvent(_ name: String, _ payload: String?, _ url: String?, _ scene: SceneID?) {
  do throws(LifecycleEventError) {
    let declared = [EventName("custom"), EventName("sceneCustom", of: .scene)]
    let event = try LifecycleEvent(name: name, payload: payload, url: url, scene: scene, declared: declared)
    require(event.name == name, "the event \(event.name) was \(name)")
    let again = try? LifecycleEvent(
      name: event.name, payload: event.payload, url: event.url, scene: event.scene, declared: declared)
    require(again == event, "the event has changed: \(event)")
  } catch {
    checkAnswer(.usage(error.description))
  }
}

private func checkAnswer(_ error: ControlError) {
  let answer = requireJSON(error.json, "the answer")?["error"]
  require(answer?["kind"]?.string == error.kind.rawValue, "the answer has another kind: \(shown(error.json))")
  require(error.json.utf8.count < Control.limit, "the answer is too long")
}
