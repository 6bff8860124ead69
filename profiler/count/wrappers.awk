# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# calls.table as C++: with -v part=functions the list of functions, with part=c their wrappers in C, with
# part=fortran those of their Fortran names. Any POSIX awk.

# Fortran passes everything by reference, handles as integers, and the lengths of strings last. Its wrappers
# hand on what they got as it is, to the next definition of the very name that was called, and convert only
# what counting looks at. Some compilers' mpi_f08 of Open MPI 6 passes buffers by descriptors (names in _f08ts). A string's type in C is one of characters; types of functions do not occur.

BEGIN {
    FS = " : "
    print "// Made from calls.table by wrappers.awk."
    if (part == "functions") {
        print "#ifndef OMPI_PROFILE_MADE_FUNCTIONS_H\n#define OMPI_PROFILE_MADE_FUNCTIONS_H\n\nnamespace hitopo::profile {\n"
        print "enum Function : unsigned {"
    }
}

/^(#|$)/ { next }

{
    read_prototype($1)
    read_actions($2)
    if (part == "functions") {
        print "    k" name ","
        names = names "    \"" name "\",\n"
    } else if (part == "c") {
        write_c()
    } else {
        write_fortran()
    }
}

END {
    if (part == "functions") {
        print "};\n\ninline constexpr const char* kFunctionNames[] = {\n" names "};"
        print "inline constexpr unsigned kNumFunctions = sizeof kFunctionNames / sizeof *kFunctionNames;"
        print "\n}  // namespace hitopo::profile\n\n#endif"
    }
}

# ---- reading ----

# name, and for each of `count` parameters: text[i], type[i] (without const), argument[i], is_array[i]
function read_prototype(prototype,    open, inner, i) {
    open = index(prototype, "(")
    name = substr(prototype, 1, open - 1)
    inner = substr(prototype, open + 1)
    sub(/\)[ ]*$/, "", inner)
    count = inner == "void" ? 0 : split(inner, text, /, */)
    for (i = 1; i <= count; ++i) {
        read_parameter(i)
    }
}

function read_parameter(i,    rest) {
    rest = text[i]
    is_array[i] = sub(/\[\]$/, "", rest)
    sub(/^const /, "", rest)
    match(rest, /[A-Za-z_0-9]+$/)
    argument[i] = substr(rest, RSTART)
    type[i] = substr(rest, 1, RSTART - 1)
    gsub(/ +$/, "", type[i])
    gsub(/ +\*/, "*", type[i])
}

# OBJECT [| COUNT] [< BEFORE] [> AFTER]
function read_actions(actions) {
    after = before = counting = ""
    if (split_at(actions, " > ")) { actions = left; after = right }
    if (split_at(actions, " < ")) { actions = left; before = right }
    if (split_at(actions, " | ")) { actions = left; counting = right }
    object = actions == "-" ? "" : actions
}

function split_at(string, mark,    at) {
    at = index(string, mark)
    left = substr(string, 1, at - 1)
    right = substr(string, at + length(mark))
    return at
}

# ---- C ----

function write_c(    i, parameters, arguments) {
    for (i = 1; i <= count; ++i) {
        parameters = parameters (i > 1 ? ", " : "") text[i]
        arguments = arguments (i > 1 ? ", " : "") argument[i]
    }
    # Apart, so that the way past it needs no stack.
    print "\n[[gnu::noinline]] static int scoped_" name "(" parameters ")\n{"
    write_begin("")
    print "    const int rc = P" name "(" arguments ");"
    write_end("")
    print "    return rc;\n}"
    print "extern \"C\" int " name "(" parameters ")\n{"
    print "    return " pass_by("P" name "(" arguments ")") "scoped_" name "(" arguments ");\n}"
}

# Where the call may be left alone.
function pass_by(call) {
    return object != "" && before == "" && after == "" ? "is_uncounted(" object ") ? " call " : " : ""
}

# What comes before and after the call; `fortran` converts the parameters that occur.
function write_begin(fortran) {
    if (fortran) {
        convert(object, "    ")
    }
    print "    Scope scope(k" name (object == "" ? "" : ", " object) ");"
    write_action("scope.is_counted()", counting, fortran)
    write_action("scope.is_outermost()", before, fortran)
}

function write_end(fortran) {
    write_action("scope.is_outermost() && rc == MPI_SUCCESS", after, fortran)
}

function write_action(condition, action, fortran) {
    if (action == "") {
        return
    }
    print "    if (" condition ") {"
    if (fortran) {
        convert(action, "        ")
    }
    print "        scope." action ";\n    }"
}

# ---- Fortran ----

function is_absent_in_fortran(i) { return argument[i] == "argc" || argument[i] == "argv" && type[i] == "char***" }

function is_string(i) { return type[i] ~ /^char\*+$/ }

function write_fortran(    i, has_buffer, parameters, types, arguments, lengths, length_types, length_arguments) {
    for (i = 1; i <= count; ++i) {
        if (is_absent_in_fortran(i)) {
            continue
        }
        parameters = parameters "void* " argument[i] "_f, "
        types = types "void*, "
        arguments = arguments argument[i] "_f, "
        has_buffer = has_buffer || type[i] == "void*"
        if (is_string(i)) {
            lengths = lengths ", std::size_t " argument[i] "_length"
            length_types = length_types ", std::size_t"
            length_arguments = length_arguments ", " argument[i] "_length"
        }
    }
    parameters = parameters "MPI_Fint* ierror" lengths
    print "\nstatic void fortran_" name "(void* next, [[maybe_unused]] bool has_descriptors, " parameters ")\n{"
    write_begin("fortran")
    print "    MPI_Fint rc = MPI_ERR_UNKNOWN;"
    print "    if (next != nullptr) {"
    print "        reinterpret_cast<void (*)(" types "MPI_Fint*" length_types ")>(next)(" arguments "&rc" length_arguments ");"
    print "    }"
    write_end("fortran")
    print "    if (ierror != nullptr) {\n        *ierror = rc;\n    }\n}"
    write_entry(tolower(name) "_", "false", parameters, arguments "ierror" length_arguments)
    write_alias(tolower(name))
    write_alias(tolower(name) "__")
    write_alias(toupper(name))
    if (argument[count - 1] == "baseptr") { # use mpi: what is called with a TYPE(C_PTR)
        write_alias(tolower(name) "_cptr_")
        write_alias(tolower(name) "_cptr")
        write_alias(tolower(name) "_cptr__")
        write_alias(toupper(name) "_CPTR")
    }
    write_entry(tolower(name) "_f08_", "false", parameters, arguments "ierror" length_arguments)
    if (has_buffer) {
        write_entry(tolower(name) "_f08ts_", "true", parameters, arguments "ierror" length_arguments)
    }
}

function write_entry(symbol, has_descriptors, parameters, arguments) {
    entry = symbol
    print "extern \"C\" void " symbol "(" parameters ")\n{"
    print "    static void* const next = next_definition(\"" symbol "\");"
    print "    fortran_" name "(next, " has_descriptors ", " arguments ");\n}"
}

function write_alias(symbol) {
    print "extern \"C\" decltype(" entry ") " symbol " __attribute__((alias(\"" entry "\")));"
}

# Declares the parameters that occur in `string` as C has them.
function convert(string, indent,    i) {
    for (i = 1; i <= count; ++i) {
        if (occurs(argument[i], string)) {
            print indent converted(i)
        }
    }
}

function occurs(word, string) {
    return (" " string " ") ~ ("[^A-Za-z_0-9]" word "[^A-Za-z_0-9]")
}

function converted(i,    a, base) {
    a = argument[i]
    base = type[i]
    if (base == "void*") {
        return "const void* const " a " = fortran_buffer(" a "_f, has_descriptors);"
    }
    if (is_array[i]) {
        return base == "int" ? "const auto* const " a " = static_cast<const int*>(" a "_f);" \
                             : "const FortranArray<" base "> " a "(" a "_f);"
    }
    if (sub(/\*$/, "", base)) {
        return base " " a "_value = from_fortran<" base ">(" a "_f); " base "* const " a " = &" a "_value;"
    }
    return "const auto " a " = from_fortran<" base ">(" a "_f);"
}
