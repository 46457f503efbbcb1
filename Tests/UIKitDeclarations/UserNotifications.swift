// swift-format-ignore-file
// On Apple platforms a module of its own; its declarations stand in UIKit.swift, which this re-exports.
@_exported import UIKit
