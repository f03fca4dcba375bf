#!/usr/bin/env bash
# Packs this clone as npm would publish it, installs the package into an empty folder, and follows a new user's steps:
# `node_modules/.bin/parley start`, paste the two printed lines, open the web client, stop, start again. Runs as several
# users, like clean-clone.sh.
set -euo pipefail

tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tools/trial.sh
source "$tools/trial.sh"

main() {
  packed=$(mktemp -d /tmp/parley-packed.XXXXXX)
  trap 'rm -rf "$packed"' EXIT
  (cd "$tools/.." && npm pack --silent --pack-destination "$packed" >/dev/null)
  in_each_place package trial_in
}

# trial_in FOLDER TITLE [COMMAND THAT SWITCHES USERS...]
trial_in() {
  local folder=$1 title=$2 home=$HOME
  shift 2
  folders+=("$packed")
  echo "package, $title: $folder"
  mkdir "$folder/empty"
  cp "$packed"/*.tgz "$folder/parley.tgz"
  cp "$tools/clean-package.sh" "$tools/trial.sh" "$folder"
  if [ $# -gt 0 ]; then
    home=$folder
    chown -R "$user" "$folder"
  fi
  (cd "$folder/empty" && "$@" env HOME="$home" bash "$folder/clean-package.sh" --trial)
}

# ── Inside the empty folder ──

trial() {
  prepare_trial package
  npm install --silent --no-audit --no-fund ../parley.tgz >../out 2>../err || fail 'npm could not install it'
  echo "  npm install: $(ls node_modules | wc -l) packages and scopes, $(du -sm node_modules | cut -f1) MB"
  refuse_tools

  start node_modules/.bin/parley start
  wait_for_answer 30
  echo "  parley start: first answer after $waited s"
  [ -d data/postgres ] || fail 'the data are not in the folder in which it was started'
  paste_lines
  open_client
  stop

  start node node_modules/@parley-chat/parley/bin/parley.js start
  wait_for_answer 30
  echo "  second start: first answer after $waited s"
  stop
}

# Users of the package need no build or test tools.
refuse_tools() {
  local name
  for name in esbuild typescript vite vitest oxlint preact oidc-provider; do
    [ ! -e "node_modules/$name" ] || fail "it installed $name"
  done
}

# Loads the page, the files it links, and files that the server reads from the package.
open_client() {
  local page path
  page=$(get /) || fail 'no page'
  for path in $(grep -oE '(src|href)="/[^"]+\.(js|css)"' <<<"$page" | cut -d'"' -f2) /static/emoji.json /static/icon-192.png; do
    get "$path" | cat >../file || fail "no $path"
    [ -s ../file ] || fail "$path is empty"
    echo "  $path: $(wc -c <../file) B"
  done
}

get() { curl --silent --fail "http://127.0.0.1:$PORT$1"; }

if [ "${1:-}" = --trial ]; then trial; else main; fi
