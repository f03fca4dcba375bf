# Shared by clean-clone.sh and clean-package.sh, which source this file. Each trial runs in its own folder and keeps its
# files beside that folder.

readonly STOP_LIMIT_SECONDS=15 # Detects hangs only: machines can stall, and the actual time is printed.
readonly MESSAGE_ATTEMPTS=10
readonly MESSAGE_WAIT_SECONDS=3

# in_each_place NAME TRIAL: runs the trial as the current user; if that is root, also in root's private home and as an
# ordinary user. Calls `TRIAL FOLDER TITLE [COMMAND THAT SWITCHES USERS...]` each time, with an empty folder. Removes
# everything afterward.
in_each_place() {
  local name=$1 trial_in=$2 folder
  folder=$(mktemp -d "/tmp/parley-$name.XXXXXX")
  folders=("$folder")
  user=''
  trap clean_up EXIT
  chmod 755 "$folder"
  "$trial_in" "$folder" "as $(id -un)"
  [ "$(id -u)" = 0 ] || return 0

  folder=$(mktemp -d "$HOME/parley-$name.XXXXXX")
  folders+=("$folder")
  "$trial_in" "$folder" "as root, under $HOME ($(stat -c %a "$HOME"))"

  user=parley-trial-$$
  if useradd --create-home "$user" 2>/dev/null; then
    "$trial_in" "$(getent passwd "$user" | cut -d: -f6)" 'as an ordinary user' runuser -u "$user" --
  else
    user=''
    echo "$name: SKIPPED as an ordinary user, none can be made here"
  fi
}

clean_up() {
  local folder
  for folder in "${folders[@]}"; do rm -rf "$folder"; done
  [ -z "$user" ] || userdel --remove "$user" 2>/dev/null || true
}

# prepare_trial NAME: sets the variables of a first start, and stops all processes on exit.
prepare_trial() {
  trial=$1
  PORT=$(node -p 'const s = require("net").createServer().listen(0); const p = s.address().port; s.close(); p')
  export PORT PARLEY_ORGANIZATION='Clean Clone' PARLEY_OWNER_NAME='Olga Owner'
  export PARLEY_OWNER_EMAIL=olga@example.com PARLEY_OWNER_PASSWORD=correct-horse-battery
  server=''
  poll=''
  trap 'status=$?; stop_all; exit $status' EXIT
}

# start COMMAND...: starts a process group, so that all its remaining processes can be found.
start() {
  set -m
  "$@" >../out 2>../err </dev/null &
  server=$!
  set +m
  started=$(now)
}

# Sets `waited` to the number of seconds since the start.
wait_for_answer() {
  until curl --silent --fail --output /dev/null "http://127.0.0.1:$PORT/api/v1/server_settings"; do
    kill -0 "$server" 2>/dev/null || fail 'the server ended by itself'
    [ "$(since "$started" | cut -d. -f1)" -lt "$1" ] || fail "no answer within $1 s"
    sleep 0.02
  done
  waited=$(since "$started")
}

# One of the printed lines waits for events, and the other sends a message, which must arrive.
paste_lines() {
  local lines wait_line='' send_line='' line attempt
  for attempt in $(seq 50); do
    mapfile -t lines < <(sed -n 's/^  \(curl .*\)$/\1/p' ../out)
    [ ${#lines[@]} -lt 2 ] || break
    sleep 0.1
  done
  for line in "${lines[@]}"; do
    case $line in
      */events*) wait_line=$line ;;
      *) send_line=${send_line:-$line} ;;
    esac
  done
  [ -n "$wait_line" ] && [ -n "$send_line" ] || fail 'it did not print one line that sends and one that waits'

  # The reader may start after the first message was sent, so it keeps reading while more messages are sent.
  bash -c "$wait_line" >../events 2>/dev/null </dev/null &
  poll=$!
  for attempt in $(seq "$MESSAGE_ATTEMPTS"); do
    bash -c "$send_line" >../sent 2>/dev/null </dev/null
    for _ in $(seq $((MESSAGE_WAIT_SECONDS * 10))); do
      if arrived; then
        kill "$poll" 2>/dev/null || true
        echo "  the message arrived: $(tr -d '\n' <../sent)"
        return
      fi
      sleep 0.1
    done
  done
  echo "sent: $(cat ../sent)"
  echo "received: $(cat ../events)"
  fail 'the message did not arrive'
}

# Whether the reader received an event for the sent message's ID.
arrived() {
  node -e '
    const { readFileSync } = require("node:fs")
    const read = (name) => { try { return JSON.parse(readFileSync(name, "utf8")) } catch { return {} } }
    const { id } = read("../sent")
    const { events = [] } = read("../events")
    process.exit(id !== undefined && events.some((event) => event.message?.id === id) ? 0 : 1)'
}

stop() {
  local asked
  asked=$(now)
  kill -TERM "$server"
  while kill -0 -- "-$server" 2>/dev/null || left_running; do
    [ "$(since "$asked" | cut -d. -f1)" -lt "$STOP_LIMIT_SECONDS" ] || fail "still running $STOP_LIMIT_SECONDS s after SIGTERM"
    sleep 0.05
  done
  wait "$server" 2>/dev/null || true
  server=''
  echo "  SIGTERM: everything stopped after $(since "$asked") s"
}

# Whether any process, in particular the database, still runs in this folder.
left_running() {
  command -v pgrep >/dev/null && pgrep -f "$PWD/" >/dev/null
}

fail() {
  echo "$trial: FAILED, $1"
  echo '── output ──'
  tail -n 30 ../out
  echo '── errors ──'
  tail -n 30 ../err
  exit 1
}

stop_all() {
  [ -z "$poll" ] || kill "$poll" 2>/dev/null || true
  [ -z "$server" ] || kill -KILL -- "-$server" 2>/dev/null || true
}

now() { date +%s.%N; }
since() { awk -v then="$1" -v now="$(now)" 'BEGIN { printf "%.2f", now - then }'; }
