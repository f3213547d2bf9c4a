# Bare machines of Debian releases, as chroots below $ATTN_CHROOTS (default: /var/tmp/attention-limits):
# for the scripts beside this file. As root; needs debootstrap. Chroots are left for the next run, which
# then takes less; remove the folder for one from nothing.
chroots=${ATTN_CHROOTS:-/var/tmp/attention-limits}

die() {
  echo "$(basename "$0"): $*" >&2
  exit 2
}

# inside COMMAND...: runs it in the chroot $root, with nothing of this machine's environment.
inside() {
  chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@"
}

install() { inside apt-get install -y --no-install-recommends "$@"; }

# make_bare SUITE: $chroots/SUITE.bare, the release with git alone.
make_bare() {
  root=$chroots/$1.bare
  [[ ! -e $root/made ]] || return 0
  rm -rf "$root"
  mkdir -p "$chroots"
  debootstrap --variant=minbase "$1" "$root"
  inside apt-get update
  install ca-certificates git
  touch "$root/made"
}

leave() {
  umount "$root/dev/pts" "$root/dev/shm" "$root/proc" 2>/dev/null || true
}

# enter NAME SUITE: makes $chroots/NAME the chroot that `inside` means, a copy of the bare release where
# it is new.
enter() {
  ((EUID == 0)) || die 'chroots are made by root'
  command -v debootstrap >/dev/null || die 'debootstrap is not installed; apt-get install debootstrap'
  if [[ ! -e $chroots/$1/made ]]; then
    make_bare "$2"
    rm -rf "${chroots:?}/$1"
    cp -a "$chroots/$2.bare" "$chroots/$1"
  fi
  root=$chroots/$1
  trap leave EXIT
  mount --bind /proc "$root/proc"
  mkdir -p "$root/dev/pts" "$root/dev/shm"
  mount --bind /dev/pts "$root/dev/pts"
  mount -t tmpfs tmpfs "$root/dev/shm"
}
