# Looks at the shop's items once a second, until TERM.
trap 'echo "the worker goes home"; exit 0' TERM
echo "working for port $1"
while :; do
  curl -fsS "http://127.0.0.1:$1/items" >/dev/null || echo "the shop does not answer"
  sleep 1 & wait $!
done
