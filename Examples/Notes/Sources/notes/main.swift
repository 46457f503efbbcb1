import AppBootTool
import NotesKit

CommandLineTool(name: "notes", version: "1.0.0", registry: notesRegistry()).main()
