#!/usr/bin/env bash
# A gate in a shell pipeline: nothing is published that does not pass `kanon-sql check`.
# Run it in a folder of its own: bash examples/gate.sh
set -euo pipefail

kanon-sql demo gate-demo --overwrite --quiet
cd gate-demo
kanon-sql run --output published --overwrite --manifest published.json --quiet

# Exit code 1: the table is not k-anonymous; anything above: something is wrong with the question.
if kanon-sql check --table patients --k 5 > /dev/null; then
  echo "the raw table passes, which it should not" >&2
  exit 1
fi
kanon-sql check --table published --k 5
kanon-sql sql --vector birth_date=4,sex=0,zip=3,marital_status=0,race=1 > audited.sql
echo "published, with the query that was checked in audited.sql"
