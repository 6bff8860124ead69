# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# calls.table as C++: with -v part=functions the list of functions, with part=c their wrappers in C, with
# part=fortran those of their Fortran names. Any POSIX awk:
#
#     cc -E HEADER | awk -f wrappers.awk -v part=PART RS=';' - RS='\n' calls.table
#
# HEADER, which is preprocessed, declares the functions: each wrapper has the parameters of its declaration, and
# what is not declared has none.

# Fortran passes everything by reference, handles as integers, and the lengths of strings last. Its wrappers
# hand on what they got as it is, to the next definition of the very name that was called, and convert only
# what counting looks at. Some compilers' mpi_f08 of Open MPI 6 passes buffers by descriptors (names in _f08ts). A
# string's type in C is one of characters; types of functions do not occur.

BEGIN {
    FS = " : "
    print "// Made from calls.table by wrappers.awk."
    if (part == "functions") {
        print "#ifndef PROFILER_COUNT_MADE_FUNCTIONS_H\n#define PROFILER_COUNT_MADE_FUNCTIONS_H\n\nnamespace hitopo::profile {\n"
        print "enum CallKind : char { kSending = 's', kReceiving = 'r', kCollective = 'c', kWaiting = 'w', kPolling = 'p', kOtherCall = '-' };\n"
        print "enum Function : unsigned {"
    }
}

RS == ";" { # int MPI_Send(const void *buf, ..)
    gsub(/[ \t\n]+/, " ")
    gsub(/ \(/, "(")
    if (match($0, / int MPIX?_[A-Za-z_0-9]+\([^)]*\)/)) {
        prototype = substr($0, RSTART + 5, RLENGTH - 6)
        open = index(prototype, "(")
        parameters_of[substr(prototype, 1, open - 1)] = substr(prototype, open + 1)
    }
    next
}

/^(#|$)/ { next }

{
    num_names = split($1, names, / /)
    for (n = 1; n <= num_names; ++n) {
        write(names[n])
        write(names[n] "_c")
    }
}

END {
    if (part == "functions") {
        print "};\n\ninline constexpr const char* kFunctionNames[] = {\n" strings "};"
        print "inline constexpr unsigned kNumFunctions = sizeof kFunctionNames / sizeof *kFunctionNames;"
        print "\n// CallKind of each.\ninline constexpr char kCallKinds[] =\n" kinds ";"
        print "\n}  // namespace hitopo::profile\n\n#endif"
    }
    exit !("MPI_Init" in parameters_of) # HEADER was not there
}

function write(function_name) {
    name = function_name
    if (!(name in parameters_of)) {
        return
    }
    read_parameters(parameters_of[name])
    read_actions($2)
    if (part == "functions") {
        print "    k" name ","
        strings = strings "    \"" name "\",\n"
        kinds = kinds "    \"" kind_of(substr(tolower(name), name ~ /^MPIX/ ? 6 : 5)) "\"\n"
    } else if (part == "c") {
        write_c()
    } else {
        write_fortran()
    }
}

# A function waits for this, by its name in lower case: s and r a peer, c the other members, w requests, p nothing (it polls).
function kind_of(name) {
    return name ~ /_init(_c)?$|^comm_create_(group|from)/ ? "-" \
        : name ~ /^(test|im?probe|request_get_status|parrived|win_test)/ ? "p" \
        : name ~ /^wait/ ? "w" \
        : name ~ /^[rs]?send(_c)?$/ ? "s" \
        : name ~ /^(sendrecv|recv|m?probe)/ ? "r" \
        : name ~ /barrier|bcast|gather|scatter|alltoall|reduce|scan|comm_(i?dup|split|spawn|create|merge|disconnect)/ ? "c" \
        : name ~ /cart_(create|sub)|graph_create|win_(create|allocate|fence|free)/ ? "c" : "-"
}

# ---- reading ----

# For each of `count` parameters: text[i], type[i] (without const), argument[i], is_array[i]
function read_parameters(parameters,    i) {
    count = parameters == "void" ? 0 : split(parameters, text, /, */)
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

# OBJECT [| COUNT] [<< ALWAYS] [< BEFORE] [> AFTER]
function read_actions(actions) {
    gsub(/\$3/, argument[3], actions)
    after = split_at(actions, " > ")
    before = split_at(left, " < ")
    always = split_at(left, " << ")
    counting = split_at(left, " | ")
    object = left == "-" ? "" : ", " left
    if (name ~ /_init(_c)?$/) {
        object = object ", persisting"
        after = "keep(*request)"
    }
}

# Returns the string after mark, or ""; `left` becomes the string before it.
function split_at(string, mark,    at) {
    at = index(string, mark)
    left = at ? substr(string, 1, at - 1) : string
    return at ? substr(string, at + length(mark)) : ""
}

# ---- C ----

function write_c(    i, arguments) {
    for (i = 1; i <= count; ++i) {
        arguments = arguments (i > 1 ? ", " : "") argument[i]
    }
    print "\nextern \"C\" int " name "(" parameters_of[name] ")\n{"
    write_begin()
    print "    const int rc = P" name "(" arguments ");"
    write_end()
    print "    return rc;\n}"
}

# These write the lines before and after the call.
function write_begin() {
    convert(object, "    ")
    print "    Call call(k" name object ");"
    write_action("call.is_counted()", counting)
    write_action("true", always)
    write_action("call.is_outermost()", before)
}

function write_end() {
    write_action("call.is_outermost() && rc == MPI_SUCCESS", after)
}

function write_action(condition, action) {
    if (action != "") {
        print "    if (" condition ") {"
        convert(action, "        ")
        print "        call." action ";\n    }"
    }
}

# ---- Fortran ----

function is_absent_in_fortran(i) { return argument[i] == "argc" || argument[i] == "argv" && type[i] == "char***" }

function is_string(i) { return type[i] ~ /^char\*+$/ }

function write_fortran(    i, has_buffer, parameters, arguments, lengths, length_arguments) {
    for (i = 1; i <= count; ++i) {
        if (is_absent_in_fortran(i)) {
            continue
        }
        parameters = parameters "void* " argument[i] "_f, "
        arguments = arguments argument[i] "_f, "
        has_buffer = has_buffer || type[i] == "void*"
        if (is_string(i)) {
            lengths = lengths ", std::size_t " argument[i] "_length"
            length_arguments = length_arguments ", " argument[i] "_length"
        }
    }
    parameters = parameters "MPI_Fint* ierror" lengths
    print "\nstatic void fortran_" name "(void* next, [[maybe_unused]] bool has_descriptors, " parameters ")\n{"
    write_begin()
    print "    MPI_Fint rc = MPI_ERR_UNKNOWN;"
    print "    call_fortran(next, " arguments "&rc" length_arguments ");"
    write_end()
    print "    if (ierror != nullptr) {\n        *ierror = rc;\n    }\n}"
    arguments = arguments "ierror" length_arguments
    write_entry(tolower(name) "_", "false", parameters, arguments)
    write_aliases(tolower(name))
    if (argument[count - 1] == "baseptr") { # use mpi: what is called with a TYPE(C_PTR)
        write_alias(tolower(name) "_cptr_")
        write_aliases(tolower(name) "_cptr")
    }
    write_entry(tolower(name) "_f08_", "false", parameters, arguments)
    if (has_buffer) {
        write_entry(tolower(name) "_f08ts_", "true", parameters, arguments)
    }
}

function write_entry(symbol, has_descriptors, parameters, arguments) {
    entry = symbol
    print "extern \"C\" void " symbol "(" parameters ")\n{"
    print "    static void* const next = next_definition(\"" symbol "\");"
    print "    fortran_" name "(next, " has_descriptors ", " arguments ");\n}"
}

function write_aliases(stem) {
    write_alias(stem)
    write_alias(stem "__")
    write_alias(toupper(stem))
}

function write_alias(symbol) {
    print "extern \"C\" decltype(" entry ") " symbol " __attribute__((alias(\"" entry "\")));"
}

# In a wrapper of Fortran's, declares the parameters that occur in `string` as C has them.
function convert(string, indent,    i) {
    for (i = 1; part == "fortran" && i <= count; ++i) {
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
    if (base == "char*") {
        return "const FortranString " a "(" a "_f, static_cast<int>(" a "_length));"
    }
    if (is_array[i]) {
        return base ~ /^(int|MPI_Count)$/ ? "const auto* const " a " = static_cast<const " base "*>(" a "_f);" \
                                          : "const FortranArray<" base "> " a "(" a "_f);"
    }
    if (sub(/\*$/, "", base)) {
        return base " " a "_value = from_fortran<" base ">(" a "_f); " base "* const " a " = &" a "_value;"
    }
    return "const auto " a " = from_fortran<" base ">(" a "_f);"
}
