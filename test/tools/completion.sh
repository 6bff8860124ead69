#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# What bash and zsh offer behind `hitopo`, compared with what its help and its messages name.
#
#   completion.sh FAKE_HITOPO
#
# Prints `ok - NAME`, `not ok - NAME` or `ok - NAME # SKIP WHY` for each test.
files=$(cd "$(dirname "$0")/../../ompi/tools/hitopo/completion" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
ln -s "$1" "$scratch/hitopo"
hitopo=$scratch/hitopo
cd "$scratch" && touch profile.json || exit 1

# expect NAME WANTED IS
expect() {
    if [ -n "$2" ] && [ "$2" = "$3" ]; then
        echo "ok - $1"
    else
        printf '%s\n' "not ok - $1" "    wanted: $2" "    is:     $3"
    fi
}

# ---- bash ----

. "$files/hitopo"

# offered WORD..: at the end of the last one.
offered() {
    COMP_WORDS=("$hitopo" "$@") COMP_CWORD=$# COMPREPLY=()
    _hitopo "$hitopo" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}" | sort | xargs
}

words() { grep -oE -e "$1" | sort -u | xargs; }

commands=$("$hitopo" nothing 2>&1 | sed -n 's,.*Use ,,p' | sed 's, or , ,' | words '[a-z]+')
expect "bash: the subcommands" "$commands" "$(offered '')"
expect "bash: options before a subcommand" "--help --version" "$(offered -)"
for command in $commands; do
    expect "bash: the options of $command" \
        "$("$hitopo" $command --help | grep -oE '^ +(-[a-z], *)?--[a-z-]+' | words '--[a-z-]+')" "$(offered $command -)"
    [[ $command != @(map|tune) ]] || continue
    formats=$("$hitopo" $command --format bad 2>&1 | sed -n 's/.* not in {\(.*\)}$/\1/p' | words '[^,]+')
    expect "bash: the formats of $command" "$formats" "$(offered $command --format '')"
    expect "bash: the formats of $command behind =" "$formats" "$(offered $command --format = '')"
done
expect "bash: what is begun" "show" "$(offered sh)"
expect "bash: a value that is begun" "json" "$(offered check -f = j)"
expect "bash: files where nothing is offered" "complete -o default -F _hitopo hitopo" "$(offered report '')$(complete -p hitopo)"

# ---- zsh ----

command -v zsh >/dev/null || { echo "ok - completion for zsh # SKIP there is no zsh"; exit; }
zsh -fc 'zmodload zsh/zpty && zpty try true' 2>/dev/null ||
    { echo "ok - completion for zsh # SKIP it gets no terminal here (/dev/ptmx)"; exit; }
cat >type.zsh <<'END'
# type.zsh FOLDER TEXT WANTED: TEXT and a tab in a terminal; waits until the line has become WANTED.
zmodload zsh/zpty
zpty shell env TERM=dumb PATH=.:$PATH zsh -f -i
zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -Uz compinit && compinit -D -u && echo read''y"
zpty -r shell line '*ready*'
zpty -w -n shell "$2"$'\t'
zpty -r shell line "*$3*"
END
# typed TEXT WANTED: a time limit ends what waits for ever.
typed() {
    timeout 120 zsh -f type.zsh "$files" "$1" "$2"
    expect "zsh: $1" 0 $?
}
typed 'hitopo sho' 'hitopo show '
typed 'hitopo show --col' 'hitopo show --collectives '
typed 'hitopo check --format j' 'hitopo check --format json '
typed 'hitopo check --format=j' 'hitopo check --format=json '
typed 'hitopo report pro' 'hitopo report profile.json '
