// swift-format-ignore-file
// A stub of SwiftUI: what Examples/NotesApp uses of it, written from Apple's public documentation. It shows nothing.
@_exported import Foundation
import UIKit

// A protocol of Combine, which SwiftUI re-exports.
public protocol ObservableObject: AnyObject {}

@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  var body: Body { get }
}
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}
extension View {
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
}
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  var body: Body { get }
  init()
}
extension App { public static func main() {} }
extension Never: Scene, View { public var body: Never { return fatalError() } }

@resultBuilder public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
    TupleView()
  }
}
public struct TupleView<each Content: View>: View { public var body: Never { return fatalError() } }
public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { return fatalError() }
}
public struct VStack<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { return fatalError() }
}
public struct Text: View {
  public init(_ text: String) {}
  public var body: Never { return fatalError() }
}

@MainActor @propertyWrapper public struct UIApplicationDelegateAdaptor<Delegate: UIApplicationDelegate> {
  public init(_ type: Delegate.Type = Delegate.self) {}
  public var wrappedValue: Delegate { UIApplication.shared.delegate as! Delegate }
}
@MainActor @propertyWrapper public struct EnvironmentObject<Object: ObservableObject> {
  public init() {}
  public var wrappedValue: Object { fatalError() }
}
