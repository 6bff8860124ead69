#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Compares documents with HiTopo's JSON schemas, and these with docs/json.md.

    schemas.py SCHEMAS JSON.MD NAME=FILE...

SCHEMAS is the folder of NAME.json. An unknown member, which readers ignore, is an error here; so is a member of a schema
that no document has, or that the page does not name. Prints `ok - NAME` or `not ok - NAME` for each file and each schema, and
what is wrong.
"""
import json
import pathlib
import re
import sys
import warnings

import jsonschema

NOT_EVERYWHERE = {
    "allowed",  # only where the system tells of cpusets
    "part_of",  # only in what a process wrote by itself
}

warnings.simplefilter("ignore", DeprecationWarning)  # RefResolver's successor is younger than Debian 12


def parts(json_value):
    """All objects in it, itself included."""
    if isinstance(json_value, dict):
        yield json_value
    if isinstance(json_value, (dict, list)):
        for part in json_value.values() if isinstance(json_value, dict) else json_value:
            yield from parts(part)


def strict(schema):
    extended = {part["$ref"].split("/")[-1] for part in parts(schema) if "$ref" in part and "properties" in part}
    for part in parts(schema):
        if "properties" in part and part.get("type") == "object" and part not in [schema["$defs"][name] for name in extended]:
            part.setdefault("unevaluatedProperties", False)
    return schema


def members_of(schema):
    """The names in each "properties" that describes an object."""
    return {name for part in parts(schema) if part.get("type") == "object" for name in part.get("properties", {})}


def errors_of(schemas, name, document):
    resolver = jsonschema.RefResolver(f"{name}.json", schemas[name], {f"{other}.json": schemas[other] for other in schemas})
    validator = jsonschema.Draft202012Validator(schemas[name], resolver=resolver)
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(document)]


def verdict(name, errors):
    print("not ok -" if errors else "ok -", name)
    for error in errors[:10]:
        print("    " + error)
    return not errors


def main(folder, page, *documents):
    schemas = {file.stem: strict(json.loads(file.read_text("utf-8"))) for file in sorted(pathlib.Path(folder).glob("*.json"))}
    quoted = re.findall(r"`([^`\n]+)`", pathlib.Path(page).read_text("utf-8"))
    documented = {word for text in quoted for word in re.findall(r"\w+", text)}
    seen, is_right = set(), []
    for name, _, file in (document.partition("=") for document in documents):
        document = json.loads(pathlib.Path(file).read_text("utf-8"))
        seen |= {member for part in parts(document) for member in part}
        is_right.append(verdict(f"{name}: {pathlib.Path(file).name}", errors_of(schemas, name, document)))
    for name, schema in schemas.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        members = members_of(schema)
        is_right.append(verdict(f"{name}: each member is documented", sorted(members - documented)))
        is_right.append(verdict(f"{name}: each member is seen", sorted(members - seen - NOT_EVERYWHERE)))
    return bool(documents) and all(is_right)


sys.exit(not main(*sys.argv[1:]))
