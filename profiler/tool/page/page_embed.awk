# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Turns the files of the page into C++: awk -f page_embed.awk page_head.html page.html page.css page_*.js
# Each line becomes a string literal of its own, so no length of one matters.

function constant(file) {
    return file ~ /_head\.html$/ ? "kPageHead" : file ~ /\.html$/ ? "kPageBody" : file ~ /\.css$/ ? "kPageStyle" : "kPageScript"
}

BEGIN {
    print "// Made by page_embed.awk."
    print "#include \"profiler/tool/report/report.h\"\n"
    print "namespace hitopo::tool {"
}

FNR == 1 && constant(FILENAME) != open {
    print (open == "" ? "" : ";\n") "const char* const " constant(FILENAME) " ="
    open = constant(FILENAME)
}

{
    gsub(/\\/, "&&") # doubled
    gsub(/"/, "\\\"")
    gsub(/\?/, "\\?")
    print "    \"" $0 "\\n\""
}

END { print ";\n\n}  // namespace hitopo::tool" }
