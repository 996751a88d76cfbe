# Says what lies in the workspace of programs for a device, which is no business of the device's.
#   workspaces.py FOLDER NAME...
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import endurance
import programs
import runtime
import workspace

folder, *names = sys.argv[1:]
workloads, library = programs.for_device(), runtime.Runtime(folder)
make = endurance.make_arguments(workloads, 1)
for name in names:
    entry = library.load(os.path.join(folder, name + ".so"))
    arguments = make(entry, name)
    call = runtime.Call(library, entry, [shape for _, shape, _ in arguments])
    found = workspace.regions(os.path.join(folder, name + ".json"), arguments, call.workspace_bytes)
    print(f"{name}: {sum(workspace.is_list(dtype) for dtype, _, _ in found)} lists in {call.workspace_bytes} bytes")
