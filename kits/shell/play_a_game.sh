#!/bin/sh
# Plays a game of Zurero with the engine, through two named pipes, and shows the board after every move.
# The engine is the command in TABULEIRO_ENGINE, or else tabuleiro-engine.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/requests" "$folder/answers"
${TABULEIRO_ENGINE:-tabuleiro-engine} <"$folder/requests" >"$folder/answers" &
exec 3>"$folder/requests" 4<"$folder/answers"

# Asks for a method with params, and leaves the answer in $answer.
number=0
ask() {
    number=$((number + 1))
    printf '{"id":%d,"method":"%s","params":%s}\n' "$number" "$1" "$2" >&3
    while IFS= read -r answer <&4; do
        case $answer in
            *'"id":'"$number"',"error":'*) printf '%s\n' "$answer" >&2; exit 1 ;;
            *'"id":'"$number"',"result":'*) return ;;
        esac
    done
    echo "the engine has gone" >&2
    exit 1
}

ask new '{"game":"zurero","options":{"size":7}}'
table=$(printf '%s\n' "$answer" | sed 's/.*"table":"\([^"]*\)".*/\1/')
while :; do
    ask actions "{\"table\":\"$table\"}"
    # The actions of Zurero have no commas in them.
    actions=$(printf '%s\n' "$answer" | sed 's/.*"actions":\[\([^]]*\)\].*/\1/' | tr -d '"' | tr ',' '\n')
    chance=$(od -An -N3 -tu4 /dev/urandom)
    action=$(printf '%s\n' "$actions" | awk -v chance="$chance" '{ any[NR] = $0 } END { print any[chance % NR + 1] }')
    ask play "{\"table\":\"$table\",\"actions\":[\"$action\"]}"
    played=$answer
    ask render "{\"table\":\"$table\"}"
    printf '%s\n' "$action"
    printf '%b\n' "$(printf '%s\n' "$answer" | sed 's/.*"text":"\(.*\)"}}$/\1/')"
    case $played in *'"outcome":null'*) ;; *) break ;; esac
done

# The end of its input is the end of the engine.
exec 3>&-
wait
