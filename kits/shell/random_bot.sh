#!/bin/sh
# A bot that takes any legal action, in plain shell. It does not read JSON, it looks for what it needs in the line.

answer='
function found(pattern) { return match(line, pattern) ? substr(line, RSTART, RLENGTH) : "" }
function say(what) { printf "{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n", id, what }
function refuse(code, why) { say("\"error\":{\"code\":" code ",\"message\":\"" why "\"}") }
{
    line = $0
    id = found("\"id\": *(\"[^\"]*\"|-?[0-9]+)"); sub(/^"id": */, "", id)
    method = found("\"method\": *\"[^\"]*\""); sub(/^"method": */, "", method)
    if (line !~ /^ *[{\[].*[}\]] *$/) { id = "null"; refuse(-32700, "this is not JSON") }
    else if (line !~ /^ *[{]/ || method == "") { if (id == "") id = "null"; refuse(-32600, "this is no request") }
    else if (id == "") { }
    else if (method == "\"hello\"") say("\"result\":{\"engine\":\"random, in shell\",\"version\":\"1\",\"protocol\":1}")
    else if (method == "\"choose\"" && found("\"legal\": *\\[\"[^]]*\\]") != "") {
        legal = found("\"legal\": *\\[\"[^]]*\\]"); sub(/^"legal": *\[" */, "", legal); sub(/"\]$/, "", legal)
        count = split(legal, actions, /" *, *"/)
        say("\"result\":{\"actions\":[\"" actions[chance % count + 1] "\"]}")
    }
    else if (method == "\"choose\"") refuse(-32602, "legal: is missing")
    else refuse(-32601, "there is hello and choose")
}'

carriage_return=$(printf '\r')
while IFS= read -r line; do
    line=${line%"$carriage_return"}
    [ -n "$line" ] || continue
    printf '%s\n' "$line" | awk -v chance="$(od -An -N3 -tu4 /dev/urandom)" "$answer"
done
