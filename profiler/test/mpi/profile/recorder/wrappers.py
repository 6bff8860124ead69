#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Makes the wrappers of recorder.c, of all functions with a communicator, window, request, message or file.

    wrappers.py HEADER.. >wrappers.h
"""
import pathlib
import re
import sys

# Local, and none of the profiler's: queries, attributes, error handlers; what needs no answer of anybody.
LOCAL = re.compile(r"""MPI_(Abort|Cancel|Pack\w*|Unpack\w*|Grequest\w*|Topo_test|Errhandler\w+|Attr_\w+|Comm_(rank|size|group|compare|test_inter)
    |Comm_remote\w+|Cart_(coords|get|map|rank|shift)|Cartdim_get|Graph_(get|map|neighbors\w*)|Graphdims_get|Dist_graph_neighbors\w*
    |(Comm|Win)_(get|set|call|delete)_(attr|errhandler|info|name|parent|group)|File_\w+_errhandler|Win_(attach|detach)
    |Win_shared_query|\w+_(c2f|f2c|f082c|c2f08|f082f|f2f08|toint|fromint)|(Comm|Session)_(iflush|flush|attach|detach)_\w+
    |Comm_(get_failed|ack_failed|agree|iagree|revoke|is_revoked)|Get_hw_\w+|\w*read_\w*addr\w*)(_c)?$""", re.X)
KEPT = {"MPI_Buffer_detach", "MPI_Buffer_flush", "MPI_Comm_set_name", "MPI_File_delete", "MPIX_Comm_register", "MPIX_Comm_unregister", "MPIX_Comm_split_type",
        "MPIX_Comm_split_roots", "MPIX_Comm_split_hierarchy"}
HANDLES = ("MPI_Comm", "MPI_Win", "MPI_Request", "MPI_File", "MPI_Message")
NUMBERS = ("int", "MPI_Count", "MPI_Aint", "MPI_Offset")
LENGTHS = {"array_of_requests": ("count", "incount"), "newcomms": ("max_steps",), "rootscomms": ("max_steps",)}


def parameters(text):
    """(type, stars and brackets, name) of each."""
    for one in text.split(","):
        words = re.match(r"\s*(?:const\s+)?(?:struct\s+)?(\w+)((?:\s|\*|const\b)*)(\w+)\s*((?:\[\w*\])*)\s*$", one)
        yield words[1], words[2].count("*") + words[4].count("["), words[3]


def statements(function, every):
    """Lines before and after the call."""
    names = [name for _, _, name in every]
    comm = next((name for kind, depth, name in every if (kind, depth) == ("MPI_Comm", 0)), None)
    for kind, depth, name in every:
        if kind in HANDLES and depth == 0:
            yield f'add(" {name}=%p", (void *) {name});', ""
        elif kind in HANDLES and name in LENGTHS:
            count = next(n for n in LENGTHS[name] if n in names)
            log = f'for (int i = 0; NULL != {name} && i < {count}; ++i) {{ add("%s%p", 0 < i ? "," : " {name}=", (void *) {name}[i]); }}'
            if kind == "MPI_Comm":
                log = f'for (int i = 0; NULL != {name} && i < {count}; ++i) {{ add_comm({name}[i]); }} ' + log
            again = log.replace(f" {name}=", f" {name}>=") if function == "MPI_Startall" else ""  # handles may change
            yield ("", log) if kind == "MPI_Comm" else (log, again)
        elif kind in HANDLES and depth == 1:
            is_made = kind == "MPI_Comm" and not re.search("free|disconnect|idup", function)
            show = f"add_comm(*{name}); " if is_made else ""
            yield (f'if (NULL != {name}) {{ add(" {name}=%p", (void *) *{name}); }}' if kind != "MPI_Comm" or not is_made and
                   "idup" not in function else "",
                   f'if (NULL != {name} && MPI_SUCCESS == rc) {{ {show}add(" {name}>=%p", (void *) *{name}); }}')
        elif kind in NUMBERS and depth == 0:
            yield f'add(" {name}=%ld", (long) {name});', ""
        elif kind == "MPI_Datatype" and depth == 0:
            yield f'add(" {name}=%d", size_of({name}));', ""
        elif kind == "MPI_Op" and depth == 0:
            yield f'add(" {name}=%s", MPI_NO_OP == {name} ? "none" : "op");', ""
        elif kind == "void" and name == "sendbuf":
            yield f'if (MPI_IN_PLACE == {name}) {{ add(" in_place=1"); }}', ""
        elif depth == 1 and re.fullmatch("(send|recv)(counts|types)", name) and comm:
            yield (f'add_list("{name}", {name}, num_peers("{function}", {comm}), sizeof(*{name}), '
                   f'{int(kind == "MPI_Datatype")});'), ""
        elif kind == "char" and name in ("comm_name", "name"):
            yield f'add(" name=%s", NULL == {name} ? "" : {name});', ""


def wrapper(function, text):
    every = list(parameters(text))
    before, after = zip(*[("", ""), *statements(function, every)])
    names = ", ".join(name for _, _, name in every)
    is_end = re.search("free|disconnect", function)  # another thread may get the handle before this call is back
    return "\n".join([f"int {function}({text})", "{", f"NEXT({function})", "if (NULL == file || 0 < depth) {",
                      f"return next({names});", "}", "++depth;", f'begin("{function}");', *filter(None, before),
                      *(["end(1);"] if is_end else []), f"const int rc = next({names});", *([] if is_end else [*filter(None, after), "end(1);"]),
                      "--depth;", "return rc;", "}"])


def main():
    done = set()
    for path in sys.argv[1:]:
        text = re.sub(r"/\*.*?\*/|#.*?\n|__mpi_interface_\w+__\([^)]*\)", "", pathlib.Path(path).read_text(), flags=re.S)
        for function, arguments in re.findall(r"\bint\s+(MPIX?_\w+)\s*\(([^;{}()]*)\)\s*(?:__\w+\(\(.*?\)\))?\s*;", text):
            has_handle = re.search(r"\b(" + "|".join(HANDLES) + r")\b", arguments)
            if (has_handle or function in KEPT) and function not in done and (function in KEPT or function.startswith("MPI_") and not LOCAL.match(function)):
                done.add(function)
                print(wrapper(function, re.sub(r"\s+", " ", arguments)))


main()
