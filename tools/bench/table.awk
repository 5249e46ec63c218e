#!/usr/bin/awk -f
# Holds measured CSV files against targets.txt and prints a table in Markdown.
# usage: table.awk -v folder=FOLDER [-v small=1] targets.txt

BEGIN { FS = "|" }
/^#/ { next }
!headed {
    print_head(folder "/sizes.csv")
    headed = 1
}
{
    read_file($2)
    ratio = ""
    split_all($3, $4, $5)
    for (key in wanted) look(key, $6)
    shown = ratio == "" ? "-" : sprintf($6 == "share" ? "%.4f" : "%.3f", ratio)
    printf "| %s | %s | %s | %s | %s | %s |\n", $1, $5, $7, shown, place, ratio == "" ? "not measured" : (ratio + 0 >= $7 + 0 ? "yes" : "no")
}

# The comments of the CSV say where and how; then the head of the table.
function print_head(file,   line) {
    while ((getline line < file) > 0)
        if (line ~ /^# (device|driver|nvrtc|jitreduce):/) print "- " substr(line, 3)
    close(file)
    print "\n| work | 2^n elements | at least | measured | where it is least | reached |\n| --- | --- | --- | --- | --- | --- |"
}

# wanted: "op type count" of every combination.
function split_all(ops, types, powers,   o, t, p, op, type, power, i, j, k) {
    delete wanted
    place = "-"
    o = split(ops, op, " ")
    t = split(types, type, " ")
    p = split(powers, power, " ")
    for (i = 1; i <= o; i++)
        for (j = 1; j <= t; j++)
            for (k = 1; k <= p; k++) wanted[op[i] " " type[j] " " count_of(op[i], power[k])] = power[k]
}

# Segments are named by their length, which small ones have, too.
function count_of(op, power) {
    return sprintf("%.0f", 2 ^ (small && op != "equal" && op != "offsets" ? 6 + int(power / 8) : power))
}

# The least ratio over what is wanted decides.
function look(key, whose,   i, name) {
    for (i = 1; i <= found[key]; i++) {
        name = names[key, i]
        if (whose == "share" ? name != "jitreduce" : whose == "peer" ? name ~ /^(jitreduce|read )/ : index(name, whose) != 1) continue
        take(whose == "share" ? shares[key, i] : ratios[key, i], key ", " name)
    }
}
function take(value, where) {
    if (value == "" || (ratio != "" && value + 0 >= ratio + 0)) return
    ratio = value
    place = where
}

# Reads a file once: the results of each key. Those of other files go.
function read_file(name,   line, file, columns, at, fields, i, key) {
    if (name == current) return
    current = name
    delete found
    if (name == "segments") { read_segments(folder "/segments.txt"); return }
    file = folder "/" name ".csv"
    while ((getline line < file) > 0) {
        if (line ~ /^#/) continue
        columns = split(line, fields, ",")
        if (line ~ /,contestant,/) {
            for (i = 1; i <= columns; i++) at[fields[i]] = i
            continue
        }
        key = fields[at["op"]] " " fields[at["type"]] " " fields[at["count"]]
        i = ++found[key]
        names[key, i] = fields[at["contestant"]]
        ratios[key, i] = fields[at["ratio"]]
        shares[key, i] = fields[at["ceiling_share"]]
    }
    close(file)
}

# Lines of segment_bench: "equal, length 4  ... flat 123 us  ratio 0.9  CUB 300600 12.3 us  ratio 1.2".
function read_segments(file,   line, fields, count, key, i) {
    while ((getline line < file) > 0) {
        if (line !~ /^(equal|offsets), length/ || split(line, fields, "ratio") != 3) continue
        count = split(line, fields, " +")
        key = substr(fields[1], 1, length(fields[1]) - 1) " f32 " fields[3]
        i = ++found[key]
        names[key, i] = "peer"
        ratios[key, i] = fields[count]
    }
    close(file)
}
