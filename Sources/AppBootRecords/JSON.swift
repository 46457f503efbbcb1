// Code that writes records writes JSON.
@_exported public import AppBootJSON
