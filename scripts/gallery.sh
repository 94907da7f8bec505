#!/usr/bin/env bash
# scripts/gallery.sh [SHERD] [SCENE]...    runs scenes small, checks their meshes, refreshes pictures
#
# SHERD is the command (default build/bin/sherd), SCENE a name in scenes/ or NAME:VARIANT (default: all
# of docs/gallery.md). For each: build/gallery/RUN/ with pictures and meshes, build/gallery/RUN.png, .mp4,
# and docs/images/gallery/RUN.png. Every frame's meshes are checked by scripts/check-meshes, as they are
# and as they were at rest. A scene that fails is named and the rest goes on; the exit status is then 1.
set -uo pipefail
cd "$(dirname "$0")/.."
sherd=${1:-build/bin/sherd}
shift || true
# NAME[:VARIANT] and the frame to show, in percent of the run.
ALL="plate 70
jelly 85
jelly:mesh 75
drill-plaster 75
drill-wood 75
statue 60
window 80
window:shards 80
voronoi 70
chocolate 70
hourglass 75
can 90
paper 80
paper:hole 80
rope 90
woven 90
woven:twist 55
knitted 90
letters 34
tetra 70
bending-3d:stress 45
rod-spring:paper 16
rod-twist 90
rod-thin-plate 56
rod-thick-plate 100
hertz-static 97
ductile-strip 65"
[ $# -gt 0 ] || set -- $(cut -d' ' -f1 <<<"$ALL")
out=build/gallery images=docs/images/gallery
LARGEST=61440 # bytes of a committed picture
[ -x "$sherd" ] || { echo "scripts/gallery.sh: no command $sherd; run make build" >&2; exit 2; }
mkdir -p "$out" "$images"

run_scene() { # NAME VARIANT RUN
    local options=(--set output.render.width=480 --set output.render.height=270 --set output.render.samples=6
                   --set "output.meshes=[ply]" --quiet)
    [ -z "$2" ] || options+=(--variant "$2")
    rm -rf "${out:?}/$3"
    "$sherd" run "scenes/$1.yaml" "${options[@]}" -o "$out/$3" >"$out/$3.log" 2>&1
}

# Meshes at rest are for the check only.
check_run() { # RUN
    "$sherd" surface "$out/$1" --rest --quiet && scripts/check-meshes "$out/$1" && rm -r "$out/$1/rest"
}

# A picture of few colours when the full one is too large; needs ffmpeg for that.
shrink() { # FROM TO
    cp "$1" "$2"
    local colors
    for colors in 256 128 64 32; do
        [ "$(stat -c %s "$2")" -gt $LARGEST ] || return 0
        ffmpeg -y -v error -i "$1" -vf "split[a][b];[a]palettegen=max_colors=$colors[p];[b][p]paletteuse=dither=none" \
            -frames:v 1 "$2" || return 1
    done
}

take_picture() { # RUN PERCENT
    local frames=("$out/$1"/frames/*.png)
    shrink "${frames[$((${#frames[@]} * $2 / 100))]}" "$images/$1.png" && cp "$images/$1.png" "$out/$1.png"
    [ ! -e "$out/$1/video.mp4" ] || cp "$out/$1/video.mp4" "$out/$1.mp4"
}

failures=0
printf '%-18s %8s  %s\n' scene time verdict
for item in "$@"; do
    name=${item%%:*} variant=
    [ "$name" = "$item" ] || variant=${item#*:}
    run=${item/:/-}
    percent=$(awk -v item="$item" '$1 == item { print $2 }' <<<"$ALL")
    start=$SECONDS
    if ! run_scene "$name" "$variant" "$run"; then
        verdict="FAILED to run: $(tail -n 1 "$out/$run.log")"
    elif ! check_run "$run" >>"$out/$run.log" 2>&1; then
        verdict="FAILED, meshes: $(tail -n 1 "$out/$run.log"); all of it in $out/$run.log"
    elif ! take_picture "$run" "${percent:-75}" 2>>"$out/$run.log"; then
        verdict="FAILED, picture: $(tail -n 1 "$out/$run.log")"
    else
        verdict=$(tail -n 1 "$out/$run.log")
    fi
    case $verdict in FAILED*) failures=$((failures + 1)) ;; esac
    printf '%-18s %6d s  %s\n' "$item" $((SECONDS - start)) "$verdict"
done
echo "pictures and videos: $out/*.png, $out/*.mp4; pictures of docs/gallery.md: $images"
[ "$failures" -eq 0 ] || { echo "scripts/gallery.sh: $failures of $# scenes failed" >&2; exit 1; }
