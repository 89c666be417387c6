#!/usr/bin/env bash
# `scripts/evals.sh PYTHON DATA [options of evals.safety]`: every measurement for which there is data; says what is missing, and fails then.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$1 data=$2
shift 2
status=0

bash scripts/doc-pages.sh build/doc-pages && bash scripts/doc-pages.sh build/doc-pages-apart zsh-doc debian-policy &&
  "$python" -m evals.library build/doc-pages --apart build/doc-pages-apart || [ $? -eq 3 ]
[ ! -e build/doc-pages/.complete ] || "$python" -m evals.reading build/doc-pages

"$python" -m evals.documents
bash scripts/doc-manuals.sh build/doc-manuals && "$python" -m evals.manuals build/doc-manuals || [ $? -eq 3 ]

# shellcheck disable=SC2046 # the names of packages are words
bash scripts/fidelity-pages.sh build/fidelity-pages $("$python" -m evals.fidelity --packages) &&
  "$python" -m evals.fidelity build/fidelity-pages || [ $? -eq 3 ]

if [ -z "$data" ]; then
  echo "Neither safety nor extraction is measured: DATA=FOLDER must name a folder with the data." >&2
  "$python" -m evals.safety /nonexistent || true
  exit 2
fi
for folder in "$data" "$data/extraction"; do
  if [ -f "$folder/truth.jsonl" ]; then
    "$python" -m evals.extraction "$folder"
    extraction=measured
    break
  fi
done
if [ -z "${extraction:-}" ]; then
  echo "Extraction is not measured: $data holds no truth.jsonl, as evals/extraction.py describes it." >&2
fi
bash scripts/clean-text.sh "$python" build/clean-text || [ $? -eq 3 ]
"$python" -m evals.safety "$data" --write build/evals "$@" || status=$?
"$python" -m evals.charts --safety build/evals/safety.md --into build/evals || true
exit $status
