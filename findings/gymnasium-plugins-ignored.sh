#!/usr/bin/env bash
# The entry points `gymnasium.envs`: gymnasium 0.29.1 registers what a package names there, 1.0.0 to 1.4.0 read none,
# without a word, though the module still says that it "loads the env plugins for module using the entry point".
#
# Seen on 2026-11-28 with Python 3.11: a package of one line with an entry point, installed beside gymnasium, is found by
# `gymnasium.make("plugged/One-v0")` in 0.29.1 and is a NamespaceNotFound in 1.0.0 and 1.4.0. So a package that relied on
# it works by luck of the order of imports: only once something else has imported it.
# The script fails if one of the three changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/plugged"
cat > "$folder/plugged/pyproject.toml" <<'TOML'
[build-system]
requires = ["setuptools==80.9.0"]
build-backend = "setuptools.build_meta"
[project]
name = "plugged"
version = "1"
[project.entry-points."gymnasium.envs"]
plugged = "plugged:register_all"
[tool.setuptools]
py-modules = ["plugged"]
TOML
cat > "$folder/plugged/plugged.py" <<'PYTHON'
def register_all():
    from gymnasium.envs.registration import register

    register(id="plugged/One-v0", entry_point="gymnasium.envs.classic_control.cartpole:CartPoleEnv")
PYTHON
python3 -m venv "$folder/venv"
pip=("$folder/venv/bin/python" -m pip install -q --disable-pip-version-check)
"${pip[@]}" numpy==2.4.6 cloudpickle==3.1.3 typing_extensions==4.16.0 Farama-Notifications==0.0.6 "$folder/plugged"
for version in 0.29.1 1.0.0 1.4.0; do
    "${pip[@]}" --no-deps --target "$folder/$version" "gymnasium==$version"
    seen=$(PYTHONPATH=$folder/$version "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gymnasium

try:
    print(gymnasium.make("plugged/One-v0").spec.id)
except gymnasium.error.Error as error:
    print(type(error).__name__)
PYTHON
    )
    says=$(head -1 "$folder/$version/gymnasium/envs/__init__.py")
    echo "gymnasium $version: $seen   $says"
    expected=NamespaceNotFound
    [[ $version != 0.29.1 ]] || expected=plugged/One-v0
    [[ $seen == "$expected" && $says == *"loads the env plugins for module using the entry point"* ]] || exit 1
done
echo "as seen"
