#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Runs the commands of a page and compares what they print with what it says.

    tour_of_commands.py PAGE FOLDER [--write]

Commands and outputs are the page's indented lines: `    $ command`, `    > next line of it`, and what it prints; indented
lines that follow no command are not looked at. All run
in one shell, in the empty folder FOLDER. A line `...` of the page stands for any number of lines, a number with a unit
of time for any time, white space for any. Prints `ok - COMMAND` or `not ok - COMMAND` for each, and the difference.
--write puts into the page what was printed.
"""
import os
import pathlib
import re
import subprocess
import sys

INDENT = "    "
TIME = re.compile(r"\b\d+(\.\d+)? (ns|us|ms|s|min)\b")


class Command:
    def __init__(self, text, line):
        self.text = text
        self.line = line  # where its output begins on the page
        self.expected = []
        self.status = self.printed = None


def commands_of(lines):
    commands, is_open = [], False
    for number, line in enumerate(lines, 1):
        body = line[len(INDENT):]
        if line.startswith(INDENT + "$ "):
            commands.append(Command(body[2:], number))
            is_open = True
        elif (line + " ").startswith(INDENT + "> ") and commands and not commands[-1].expected:
            commands[-1].text += "\n" + body[2:]
            commands[-1].line = number
        elif is_open and line.startswith(INDENT):
            commands[-1].expected.append(body)
        elif is_open and not line:
            commands[-1].expected.append("")
            continue
        is_open = is_open and line.startswith(INDENT)
    for command in commands:
        while command.expected and not command.expected[-1]:
            command.expected.pop()
    return commands


def run(commands, folder):
    script = ""
    for number, command in enumerate(commands):
        script += f"{{ {command.text}\n}} >.{number}.out 2>&1 </dev/null\necho $? >.{number}.status\n"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "OMPI_MCA_hitopo"))}
    subprocess.run(["bash", "-c", script], cwd=folder, env=environment | {"LC_ALL": "C.UTF-8"}, check=False)
    for number, command in enumerate(commands):
        status, out = folder / f".{number}.status", folder / f".{number}.out"
        command.status = int(status.read_text()) if status.exists() else None
        command.printed = out.read_text(encoding="utf-8", errors="replace").rstrip().splitlines() if out.exists() else []


def comparable(line):
    return " ".join(TIME.sub("TIME", line).split())


def fits(expected, printed):
    """Whether the printed lines are the expected ones, where "..." is any number of lines."""
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(fits(expected[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and comparable(expected[0]) == comparable(printed[0]) and fits(expected[1:], printed[1:])


def has_passed(command):
    return command.status == 0 and fits(command.expected, command.printed)


def report(command):
    first_line = command.text.splitlines()[0]
    if has_passed(command):
        print("ok -", first_line)
        return
    print("not ok -", first_line)
    print(f"    status {command.status}; - the page, + what was printed:", *("- " + line for line in command.expected),
          *("+ " + line for line in command.printed), sep="\n    ", flush=True)


def write(page, lines, commands):
    """What has passed stays as it is, with its "..."."""
    for command in reversed(commands):
        if not has_passed(command):
            output = [(INDENT + line).rstrip() for line in command.printed]
            lines[command.line : command.line + len(command.expected)] = output
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(page, folder, *options):
    page = pathlib.Path(page)
    lines = page.read_text(encoding="utf-8").splitlines()
    commands = commands_of(lines)
    run(commands, pathlib.Path(folder))
    for command in commands:
        report(command)
    if "--write" in options:
        write(page, lines, commands)
    return bool(commands) and all(has_passed(command) for command in commands)


sys.exit(not main(*sys.argv[1:]))
