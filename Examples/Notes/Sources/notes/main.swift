import AppBootTool
import NotesKit

AppBootTool(name: "notes", version: "1.0.0", registry: notesRegistry()).main()
