#!/usr/bin/env python3
"""Writes C that holds the example tables and their requests as bytes.

usage: embed.py OUTPUT FOLDER…      each folder has table.json and requests.json
"""
import pathlib
import sys

BYTES_A_LINE = 20


def array(name, data):
    lines = [", ".join(str(byte) for byte in data[at:at + BYTES_A_LINE])
             for at in range(0, len(data), BYTES_A_LINE)]
    return f"static const unsigned char {name}[] = {{\n    " + ",\n    ".join(lines) + ",\n};\n"


def main():
    output, *folders = sys.argv[1:]
    text, rows = '#include "cli/example.h"\n\n', []
    for folder in map(pathlib.Path, folders):
        row = [f'{{"{folder.name}"']
        for part in ("table", "requests"):
            name = f"{folder.name}_{part}"
            text += array(name, (folder / f"{part}.json").read_bytes())
            row.append(f"{{(const char *){name}, sizeof {name}}}")
        rows.append("    " + ", ".join(row) + "},\n")
    text += "\nconst struct example example_list[] = {\n" + "".join(rows) + "};\n"
    text += f"const size_t example_count = {len(rows)};\n"
    pathlib.Path(output).write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
