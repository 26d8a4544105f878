# What tests/slurm/run and tests/ssh/run share: docs/scale-out.md, an engine, and a folder to work in.
# To be sourced by bash.
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
top=$PWD

say() {
    printf '%4d s  %s\n' "$SECONDS" "$*"
}

fail() {
    echo "FAILED: $*" >&2
    [ -z "${work:-}" ] || tail -n 20 "$work"/*.log >&2 || true
    exit 1
}

# Waits for a condition, but not for ever.
wait_until() {
    local what=$1 tries
    shift
    for ((tries = 0; tries < 600; tries++)); do
        "$@" && return
        sleep 0.2
    done
    fail "$what never happened"
}

# Debian packages that are missing, installed if we may.
need_packages() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    [ "$(id -u)" -eq 0 ] || fail "these packages are missing and need an administrator: apt-get install ${missing[*]}"
    say "installing ${missing[*]}"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
}

# A folder of our own, with an engine on the path. What runs in `pids` is ended with us.
begin() {
    if [ -z "${TABULEIRO_ENGINE:-}" ]; then
        say "building the engine"
        cargo build --quiet --locked -p tabuleiro-engine
        TABULEIRO_ENGINE=$top/target/debug/tabuleiro-engine
    fi
    work=$(mktemp -d)
    chmod 755 "$work"
    pids=()
    trap clean_up EXIT
    trap 'exit 130' INT TERM
    mkdir "$work/path"
    ln -s "$TABULEIRO_ENGINE" "$work/path/tabuleiro-engine"
    export PATH=$work/path:$PATH
}

clean_up() {
    set +e
    kill -9 "${pids[@]}" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$work"
}

# The blocks of the page with this word behind their language.
block() {
    awk -v begin="\`\`\`sh $1" '$0 == "```" { inside = 0 } inside; $0 == begin { inside = 1 }' "$top/docs/scale-out.md"
}

# All that a merged match comes to, but for what the clock decides.
result() {
    tabuleiro-engine match merge --json "$@" 2>/dev/null | jq -S 'del(.seconds, .time_ms, .nodes_per_s)'
}

# The result of the same match, played by one process.
result_of_one_machine() (
    mkdir "$work/one"
    cp shard.sh "$work/one"
    cd "$work/one"
    sh shard.sh 1 1 >/dev/null 2>&1
    result shards/*.jsonl
)
