# A bot with a bad habit, which is the first argument. The second is a folder: it notes there whom it has started (pids) and what it was
# asked (questions).
habit=$1
folder=$2
echo $$ >>"$folder/pids"
echo "here I am: $habit" >&2

# Does nothing, for ever, in a process of its own.
hang() {
    sleep 100000 &
    echo $! >>"$folder/pids"
    wait
}

result() { printf '{"id":%s,"result":%s}\n' "$id" "$1"; }

case $habit in
exits_at_once) exit 3 ;;
starts_slowly) sleep 2 ;;
never_says_hello) hang ;;
esac

while read -r line; do
    id=${line#*\"id\":}
    id=${id%%,*}
    [ $habit = knows_numbers_only ] && case $id in \"*) id=0 ;; esac
    case $line in
    *'"method":"hello"'*)
        [ $habit = closes_input ] && exec 0<&-
        if [ $habit = refuses_hello ]; then
            printf '{"id":%s,"error":{"code":1,"message":"not today"}}\n' "$id"
        else
            result '{}'
        fi
        [ $habit = closes_input ] && hang
        continue
        ;;
    esac
    printf '%s\n' "$line" >>"$folder/questions"
    legal=${line##*\"legal\":[\"}
    action=${legal%%\"*}
    case $habit in
    exits) echo 'I cannot go on' >&2; exit 4 ;;
    is_killed) kill -9 $$ ;;
    hangs) hang ;;
    is_late) sleep 3 ;;
    floods) while :; do echo 'nothing to say'; done ;;
    floods_with_notices) while :; do echo '{"method":"info","params":{}}'; done ;;
    says_one_long_line) while :; do printf '%s' '{"id":1,"result":{"actions":["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'; done ;;
    says_half_a_line) printf '{"id":%s,"resu' "$id"; hang ;;
    ends_in_mid_line) printf '{"id":%s,"result":{"actions":["%s"]}}' "$id" "$action"; exit 0 ;;
    gives_a_wrong_id) id=$((id + 1)) ;;
    says_no_json) echo 'I play something'; continue ;;
    says_no_utf8) printf '\377\376\n'; continue ;;
    closes_output) exec 1>&-; hang ;;
    leaves_its_group) setsid sh -c 'echo $$ >>"$0/pids"; sleep 100000' "$folder" >/dev/null 2>&1 </dev/null &
        until [ "$(wc -l <"$folder/pids")" -gt 1 ]; do sleep 0.01; done ;;
    kills_its_supervisor) setsid sh -c 'echo $$ >>"$0/pids"; sleep 100000' "$folder" >/dev/null 2>&1 </dev/null &
        until [ "$(wc -l <"$folder/pids")" -gt 1 ]; do sleep 0.01; done
        kill -9 $PPID; hang ;;
    writes_to_the_terminal) printf '\033[31mI am red\033[0m\007\n' >&2; exit 4 ;;
    clears_the_screen) printf '\033[2J\033]0;title\007I play\010 something\n'; continue ;;
    ignores_the_end) trap '' HUP INT TERM PIPE; hang; hang; hang ;;
    gives_no_actions) result '{"actions":[]}'; continue ;;
    gives_no_list) result "{\"action\":\"$action\"}"; continue ;;
    gives_too_many) result "{\"actions\":[\"$action\",\"$action\"]}"; continue ;;
    is_illegal) result '{"actions":["nowhere"]}'; continue ;;
    answers_with_an_error) printf '{"id":%s,"error":{"code":7,"message":"I do not know this game"}}\n' "$id"; continue ;;
    chats) echo '{"method":"info","params":{"depth":1}}'; echo; printf '\r\n' ;;
    dawdles) sleep 0.2 ;;
    esac
    result "{\"actions\":[\"$action\"]}"
done
case $habit in honest | knows_numbers_only) ;; *) hang ;; esac
