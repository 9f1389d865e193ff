#!/bin/bash
# Stands in the project's PATH under the name `quittance`: hands on what the client and the program
# say to each other, byte for byte, and keeps a copy of it in `calls/` beside itself.
here=${0%/*}
call=$here/calls/$EPOCHREALTIME-$$
mkdir -p "$call"
cat >"$call/stdin"
if [ -f "$here/way" ]; then
  # The scenario wants the hook run its own way, a slow one for instance.
  QH_EVENT=$(grep -o '"hook_event_name": *"[A-Za-z]*"' "$call/stdin" | tail -n 1 | tr -d '" ')
  export QH_EVENT=${QH_EVENT##*:} HOOK="$here/program $*"
  bash "$here/way" <"$call/stdin" >"$call/stdout" 2>"$call/stderr"
else
  "$here/program" "$@" <"$call/stdin" >"$call/stdout" 2>"$call/stderr"
fi
status=$?
echo "$status" >"$call/exit"
cat "$call/stdout"
cat "$call/stderr" >&2
exit "$status"
