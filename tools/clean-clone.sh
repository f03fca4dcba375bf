#!/usr/bin/env bash
# Clones HEAD into an empty folder and follows a new user's steps: `npm start`, paste the two printed lines, stop, start
# again. Runs as the current user; if that is root, also in root's private home and as an ordinary user.
set -euo pipefail

readonly FIRST_START_LIMIT_SECONDS=300
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tools/trial.sh
source "$tools/trial.sh"

main() {
  repository=$(git -C "$tools" rev-parse --show-toplevel)
  commit=$(git -C "$repository" rev-parse HEAD)
  in_each_place clone trial_in
}

# trial_in FOLDER TITLE [COMMAND THAT SWITCHES USERS...]
trial_in() {
  local folder=$1 title=$2 home=$HOME
  shift 2
  echo "clean clone, $title: $folder"
  git clone --quiet --no-hardlinks "$repository" "$folder/parley"
  git -C "$folder/parley" -c advice.detachedHead=false checkout --quiet "$commit"
  cp "$tools/clean-clone.sh" "$tools/trial.sh" "$folder"
  if [ $# -gt 0 ]; then
    home=$folder
    chown -R "$user" "$folder"
  fi
  (cd "$folder/parley" && "$@" env HOME="$home" bash "$folder/clean-clone.sh" --trial)
}

# ── Inside the clone ──

trial() {
  prepare_trial 'clean clone'

  start npm start
  wait_for_answer "$FIRST_START_LIMIT_SECONDS"
  echo "  npm start: first answer after $waited s"
  paste_lines
  stop

  start node bin/parley.js start
  wait_for_answer 30
  echo "  second start: first answer after $waited s"
  stop
}

if [ "${1:-}" = --trial ]; then trial; else main; fi
