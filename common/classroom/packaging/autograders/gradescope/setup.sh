#!/usr/bin/env bash
# Gradescope runs it as root when it builds the image.
set -e
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends clang bubblewrap libarchive13 libmd0 libsqlite3-0
