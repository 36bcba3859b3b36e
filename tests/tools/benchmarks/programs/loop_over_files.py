"""The unavoidable work on many files, one after another: `loop_over_files.py DIRECTORY [replace]`.

Each is read and parsed with handlers that do nothing; with `replace`, it is then replaced by a copy, safely.
"""

import os
import sys
from xml.parsers.expat import ParserCreate

directory, *how = sys.argv[1:]
for name in sorted(os.listdir(directory)):
    path = os.path.join(directory, name)
    with open(path, "rb") as file:
        content = file.read()
    parser = ParserCreate()
    parser.StartElementHandler = lambda name, attributes: None
    parser.EndElementHandler = lambda name: None
    parser.CharacterDataHandler = lambda text: None
    parser.Parse(content, True)
    if how == ["replace"]:
        with open(f"{path}.part", "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{path}.part", path)
