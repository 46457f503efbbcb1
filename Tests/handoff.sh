#!/bin/bash
# Tries the recipes of Docs/handoff.md with real engines. Debian 12, as root: Tests/handoff.sh APPBOOT [DIRECTORY]
# APPBOOT must be the static executable of Scripts/release, because the images lack the libraries of Swift.
# systemd 252 is this machine's. systemd 257, podman 5.4.2 and docker-compose 2.26 come from Debian 13, in a directory.
set -u
HERE=$(cd "$(dirname "$0")" && pwd) BIN=$(realpath "$1") W=${2:-/var/tmp/handoff-try}
PAGE=$HERE/../Docs/handoff.md FILES= FAILED=0 ROOT=
export DEBIAN_FRONTEND=noninteractive
unset CONTAINERS_CONF DOCKER_HOST
mkdir -p "$W"; rm -rf "$W/sd" "$W/containers" "$W/files"; mkdir "$W/files"; FILES=$W/files
(cd "$FILES" && "$BIN" init --template systemd && rm commands.json && "$BIN" init --template kubernetes) >/dev/null
trap stop EXIT

say() { printf '\n== %s\n' "$*"; }
expect() { if [ "$2" = "$3" ]; then echo "ok: $1"; else echo "FAILED: $1: \"$2\", expected \"$3\""; FAILED=1; fi; }
has() { if grep -q -- "$2" <<<"$3"; then echo "ok: $1"; else echo "FAILED: $1, no \"$2\" in: $3"; FAILED=1; fi; }
# Prints the block of the page that begins with a comment with this name.
block() { awk -v name="# $1" '/^```/ { inside = 0 } inside { print } $0 == name { inside = 1 }' "$PAGE"; }

# Boots systemd as PID 1 of its own namespaces, on an overlay of a directory: boot LOWER NAME. NAME/up lies over it.
boot() {
  export LOWER=$1 D=$W/$2; mkdir -p "$D/up" "$D/work" "$D/root" "$D/containers"
  (
    CG=/sys/fs/cgroup/unified; [ -d $CG ] || CG=/sys/fs/cgroup
    mkdir -p "$CG/handoff.$BASHPID"; echo $BASHPID >"$CG/handoff.$BASHPID/cgroup.procs"
    exec unshare --mount --pid --fork --cgroup --uts --ipc --net --kill-child --propagation private bash -ec '
      R=$D/root
      mount -t overlay overlay -o lowerdir=$LOWER,upperdir=$D/up,workdir=$D/work $R
      mount -t proc proc $R/proc; mount -t tmpfs tmpfs $R/run; mount -t tmpfs tmpfs $R/tmp
      mount -t sysfs sysfs $R/sys; mount -t cgroup2 cgroup2 $R/sys/fs/cgroup; mount -t tmpfs -o mode=755 tmpfs $R/dev
      for d in null zero full random urandom tty; do touch $R/dev/$d; mount --bind /dev/$d $R/dev/$d; done
      ln -s /proc/self/fd $R/dev/fd; mkdir -p $R/dev/pts $R/dev/shm
      mount -t devpts devpts $R/dev/pts -o newinstance,ptmxmode=0666; ln -s pts/ptmx $R/dev/ptmx
      mkdir -p $R/var/lib/containers; mount --bind $D/containers $R/var/lib/containers
      cd $R; mkdir -p oldroot; pivot_root . oldroot; umount -l /oldroot; ip link set lo up || true
      exec env -i container=unshare PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        /lib/systemd/systemd --log-target=console --log-level=warning --show-status=no --unit=basic.target'
  ) >"$D/log" 2>&1 &
  OUTER=$!
  for _ in $(seq 100); do
    ROOT=$(pgrep -P $OUTER)
    [ "$ROOT" ] && in_root test -S /run/systemd/private 2>/dev/null && break
    sleep 0.2
  done
  in_root systemctl is-system-running --wait >/dev/null 2>&1
  in_root systemctl --version | head -1
}
in_root() { (cd / && nsenter -t "$ROOT" -m -u -i -n -p -C -r "$@"); }
# unshare ignores TERM; its child, systemd, is killed with it.
stop() { [ "$ROOT" ] && kill -s KILL "$OUTER" && wait "$OUTER" 2>/dev/null; ROOT=; }

manifest() {
  cat <<'M'
{ "version": 1, "name": "my-service", "timeout": "1m", "commands": [
  { "id": "database", "run": "echo 12 tables; test ! -e \"$BREAK\"" },
  { "command": "RunService", "id": "cache", "after": "database", "timeout": "10s", "with": {
      "arguments": ["sh", "-c", "trap 'echo stopped; exit' TERM; echo ready; while :; do sleep 0.1; done"],
      "ready": { "output": "^ready" } } },
  { "command": "RunService", "id": "web", "after": "cache", "timeout": "10s", "with": {
      "arguments": ["sh", "-c", "trap 'sleep 1; echo stopped; exit' TERM; echo ready; while :; do sleep 0.1; done"],
      "ready": { "output": "^ready" } } } ] }
M
}

say "systemd, this machine's"
up=$W/sd/up; mkdir -p $up/usr/local/bin $up/etc/systemd/system $up/srv/my-service
cp "$BIN" $up/usr/local/bin/appboot; manifest >$up/srv/my-service/commands.json
cp "$FILES/appboot.service" $up/etc/systemd/system/my-service.service
boot / sd
in_root useradd --system my-service
expect "verify" "$(in_root systemd-analyze verify my-service.service 2>&1)" ""
in_root systemctl enable --now my-service 2>/dev/null; expect "start" $? 0
in_root systemctl status my-service --no-pager | grep -v 'bin/sh'
has "status text" "StatusText=booted" "$(in_root systemctl show my-service)"
expect "appboot status" "$(in_root runuser -u my-service -- appboot status --ready --state /var/lib/my-service)" "ready"
in_root runuser -u my-service -- appboot restart cache --state /var/lib/my-service >/dev/null; expect "restart one service" $? 0
in_root systemctl kill -s KILL --kill-whom=main my-service; sleep 7
expect "restarted after kill -9" "$(in_root systemctl show my-service -p NRestarts,ActiveState | xargs)" "NRestarts=1 ActiveState=active"
in_root systemctl stop my-service; expect "stop" "$(in_root systemctl show my-service -p Result --value)" "success"
expect "web stops before the cache" "$(in_root journalctl -u my-service -o cat --no-pager | grep -o '.*| stopped' | tail -2 | tr -s ' ' | xargs)" "web | stopped cache | stopped"
in_root sh -c 'd=/etc/systemd/system/my-service.service.d; mkdir $d; printf "[Service]\nEnvironment=BREAK=/\nRestart=no\n" >$d/b.conf; systemctl daemon-reload'
in_root systemctl start my-service 2>/dev/null; expect "a launch that fails" $? 1
in_root systemctl status my-service --no-pager
in_root sh -c 'rm -r /etc/systemd/system/my-service.service.d; echo { >/srv/my-service/commands.json; systemctl daemon-reload'
in_root systemctl start my-service 2>/dev/null; sleep 6
expect "no restart with exit code 3" "$(in_root systemctl show my-service -p NRestarts,ExecMainStatus | xargs)" "NRestarts=0 ExecMainStatus=3"
stop

say "Debian 13, with podman"
if [ ! -e "$W/debian13.done" ]; then
  { apt-get update && apt-get install -y --no-install-recommends mmdebstrap; } >/dev/null 2>&1
  rm -rf "$W/debian13"
  mmdebstrap --quiet --variant=minbase --include=systemd,systemd-sysv,podman,runc,catatonit,netavark,iproute2,procps,docker-compose \
    trixie "$W/debian13" http://deb.debian.org/debian >/dev/null 2>&1 && touch "$W/debian13.done"
fi
up=$W/containers/up; mkdir -p $up/etc/containers/systemd $up/root/image/root/bin
cd $up/root
for file in $(for b in sh tail sleep; do readlink -f "$(command -v $b)"; done); do
  cp "$file" image/root/bin/
  for library in $(ldd "$file" | grep -o '/[^ ]*'); do
    mkdir -p "image/root${library%/*}"; cp -L "$library" "image/root$library"
  done
done
ln -sf dash image/root/bin/sh
cp -r "$FILES" bare; cp "$BIN" bare/appboot; cp "$BIN" image/appboot; manifest >image/commands.json
cat >image/Dockerfile <<'D'
FROM scratch
COPY root /
COPY appboot /usr/local/bin/appboot
WORKDIR /app
COPY commands.json .
ENTRYPOINT ["appboot"]
CMD ["run"]
D
# For a machine without CAP_SYS_RESOURCE and without the pids controller.
printf '[containers]\npids_limit = 0\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n[engine]\nruntime = "runc"\n' >$up/etc/containers/containers.conf
block my-service.container | sed 's/^Exec=run/&\nNetwork=none/' >$up/etc/containers/systemd/my-service.container
once='s/^  name: my-service/&\n  annotations: { io.podman.annotations.init.container.type: always }/; s/OnFailure/Never/'
sed "$once" "$FILES/pod.yaml" >good.yaml
sed "s|^        - { name: APPBOOT_STATE.*|&\n        - { name: BREAK, value: / }|" good.yaml >bad.yaml
sed 's/args: \[run, commands.json, --only.*/command: [tail, -f, \/dev\/null]/; s/failureThreshold: 45/failureThreshold: 2/' good.yaml >late.yaml
block compose.yaml | sed 's/^    image: .*/&\n    network_mode: none/; s|environment: &environment {|& BREAK: "${BREAK:-}",|' >compose.yaml
cd - >/dev/null
boot "$W/debian13" containers
in_root podman --version; in_root docker-compose version
in_root podman build -q --network=none -t localhost/my-service:latest /root/image

say "The template's image without a shell"
in_root podman build -q --network=none --target bare -t localhost/bare /root/bare
has "it boots, and then runs the command" "my-service booted.*appboot [0-9]" "$(in_root podman run --rm --network=none localhost/bare 2>&1 | xargs)"

say "Kubernetes: the pod"
pip install -q kubernetes-validate 2>/dev/null; kubernetes-validate --strict "$FILES/pod.yaml"; expect "valid" $? 0
names() { in_root podman ps -a --format '{{.Names}} {{.Status}}' | sed 's/ seconds\?//; s/ [0-9]* ago//; s/ Less than a second ago//'; }
play() { in_root podman kube play --network=none "/root/$1.yaml" >/dev/null 2>&1; }
down() { in_root podman kube down "/root/$1.yaml" >/dev/null 2>&1; }
play good; expect "the pod starts" $? 0; sleep 4
has "the init container succeeded" "my-service-prepare Exited (0)" "$(names)"
has "the startup probe succeeded" "my-service-web Up .*(healthy)" "$(names)"
in_root podman logs my-service-prepare; in_root podman exec my-service-web appboot status --ready
in_root podman stop my-service-web >/dev/null; expect "stop" "$(in_root podman inspect my-service-web --format '{{.State.ExitCode}}')" 0
down good
play bad; expect "podman kube play with a failing init container" $? 125
has "the init container failed" "my-service-prepare Exited (1)" "$(names)"
has "the main container did not start" "my-service-web Created" "$(names)"
echo "the last 2048 bytes of the log:"; in_root podman logs my-service-prepare 2>&1 | tail -c 2048 | tail -n 80
down bad
play late; sleep 9; has "a startup probe that fails stops the container" "my-service-web Stopp\|my-service-web Exited" "$(names)"; down late

say "Compose"
compose() { in_root sh -c "cd /root && DOCKER_HOST=unix:///run/podman/podman.sock timeout 100 docker-compose -p t $*" 2>&1; }
in_root systemctl start podman.socket
compose up -d >/dev/null; expect "up" $? 0; sleep 5
has "healthy" "t-web-1 Up .*(healthy)" "$(names)"; names
compose down -v >/dev/null
in_root sh -c 'echo BREAK=/ >/root/.env'
compose up -d | tail -1
has "prepare failed" "t-prepare-1 Exited (1)" "$(names)"; has "web did not start" "t-web-1 Created" "$(names)"
compose down -v >/dev/null

say "Quadlet"
in_root systemctl start my-service; expect "start" $? 0
in_root systemctl status my-service --no-pager | head -14 | cut -c1-120
has "status text" "StatusText=booted" "$(in_root systemctl show my-service)"
sleep 11; has "healthy" "systemd-my-service Up .*(healthy)" "$(names)"
in_root systemctl stop my-service; expect "stop" "$(in_root systemctl show my-service -p Result --value)" success
in_root sh -c 'd=/etc/containers/systemd/my-service.container.d; mkdir $d; printf "[Container]\nEnvironment=BREAK=/\n[Service]\nRestart=no\n" >$d/b.conf; systemctl daemon-reload'
in_root systemctl start my-service 2>/dev/null; expect "a launch that fails" $? 1
has "the cause is in the journal" "did not boot: database failed" "$(in_root journalctl -u my-service -o cat --no-pager)"
stop
exit $FAILED
