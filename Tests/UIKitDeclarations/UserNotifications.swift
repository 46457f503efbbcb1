// swift-format-ignore-file
// A separate module on Apple platforms. Its declarations are in UIKit.swift, which this file re-exports.
@_exported import UIKit
