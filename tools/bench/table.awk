#!/usr/bin/awk -f
# Holds measured CSV files against targets.txt and prints a table in Markdown.
# usage: table.awk -v folder=FOLDER [-v small=1] targets.txt

BEGIN { FS = "|" }
/^#/ { next }
!headed {
    print "| work | at least | measured | where it is least | lines | reached |\n| --- | --- | --- | --- | --- | --- |"
    headed = 1
}
{
    least = ""
    place = "-"
    lines = 0
    read_file(folder "/" $2 ".csv", $3, $4)
    printf "| %s | %s | %s | %s | %d | %s |\n", $1, $5, least == "" ? "-" : sprintf("%.3f", least), place, lines,
        least == "" ? "not measured" : (least >= $5 + 0 ? "yes" : "no")
}
END {
    if (first != "") print_head(first)
}

# Where and how the first file was made; every file says it of itself.
function print_head(file,   line) {
    print ""
    while ((getline line < file) > 0)
        if (line ~ /^# (device|driver|nvrtc|jitreduce|peer):/) print "- " substr(line, 3)
    close(file)
}

function read_file(file, conditions, column,   line, columns, i, at, field) {
    while ((getline line < file) > 0) {
        if (first == "") first = file
        if (line ~ /^#/) continue
        columns = split(line, field, ",")
        if (!("contestant" in at)) {
            for (i = 1; i <= columns; i++) at[field[i]] = i
            continue
        }
        if (counts(field[at["contestant"]], column) && holds(conditions, at, field)) take(column, at, field)
    }
    close(file)
}

# Ratios are the peers' or those of a name, shares ours.
function counts(contestant, column) {
    if (column == "ratio") return contestant !~ /^(jitreduce|copy|read |one device)/
    if (column ~ /^ratio:/) return index(contestant, substr(column, 7)) == 1
    return contestant == "jitreduce"
}

function take(column, at, field,   value) {
    value = field[at[column ~ /^ratio/ ? "ratio" : column]]
    if (value == "") return
    lines++
    if (least != "" && value + 0 >= least) return
    least = value + 0
    place = ("work" in at ? field[at["work"]] : named(at, field)) (column ~ /^ratio/ ? ", " field[at["contestant"]] : "")
}
function named(at, field) {
    if (!("kind" in at)) return field[at["op"]] " " field[at["type"]] " " field[at["count"]]
    return field[at["kind"]] " " field[at["op"]] " " field[at["type"]] " " field[at["count"]] \
        (field[at["layout"]] == "flat" ? "" : " " field[at["layout"]] " " field[at["run"]])
}

# Do all conditions hold of a line?
function holds(conditions, at, field,   n, i, condition, operator, name, wanted, value) {
    n = split(conditions, condition, " ")
    for (i = 1; i <= n; i++) {
        match(condition[i], /[=~!<>]=?/)
        operator = substr(condition[i], RSTART, RLENGTH)
        name = substr(condition[i], 1, RSTART - 1)
        wanted = substr(condition[i], RSTART + RLENGTH)
        if (!(name in at)) { print "table.awk: no column " name > "/dev/stderr"; exit 1 }
        value = field[at[name]]
        if (operator == "=" && !one_of(value, wanted)) return 0
        if (operator == "~" && value !~ wanted) return 0
        if (operator == "!" && value ~ wanted) return 0
        if (operator == ">=" && value + 0 < number(wanted)) return 0
        if (operator == "<=" && value + 0 > number(wanted)) return 0
    }
    return 1
}
function one_of(value, list,   n, i, word) {
    n = split(list, word, ",")
    for (i = 1; i <= n; i++)
        if (value == word[i] || (word[i] ~ /\^/ && value + 0 == number(word[i]))) return 1
    return 0
}
# 2^20; of small files a size that stands for it.
function number(text,   power) {
    if (text !~ /^2\^/) return text + 0
    power = substr(text, 3) + 0
    return 2 ^ (small ? 6 + int(power / 8) : power)
}
