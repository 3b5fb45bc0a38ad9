(umask 077; mkdir -p "$2"; : >>"$2/nightly.log")
exec >>"$2/nightly.log" 2>&1
set -a
if [ -r "$1" ]; then . "$1"; fi
set +a
shift 2
exec "$@"
