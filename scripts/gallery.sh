#!/usr/bin/env bash
# scripts/gallery.sh [--again] [--video] [SHERD] [SCENE]...    pictures of scenes, for docs/guide/gallery.md
#
# SHERD is the command (default build/bin/sherd), SCENE a name in scenes/ or NAME:VARIANT (default: all of the list
# below). Each is simulated once, to build/gallery/RUN/; the meshes of all its frames are checked by
# scripts/check-meshes, as they are and as they were at rest; and one frame is rendered, 1280 x 720, to
# build/gallery/RUN.png and docs/images/gallery/RUN.jpg. A scene that fails is named and the rest goes on; the exit
# status is then 1.
#
#   --again   scenes that were simulated before are only rendered, as scenes/ has them now
#   --video   no pictures but videos of 3 s, build/gallery/RUN.mp4, of runs of their own with 72 frames, by default of
#             the scenes of the second list; of those docs/videos/RUN.mp4, 640 x 360 and at most 350 KB, too
#   VIDEO_SAMPLES=8, VIDEO_SIZE=640x360   what they are rendered with
set -uo pipefail
cd "$(dirname "$0")/.." || exit

# NAME[:VARIANT], the frame to show in percent of the run, samples of each pixel where not 32.
ALL="plate 52
jelly 85 24
jelly:mesh 75 24
drill-plaster 75 48
drill-wood 75 48
statue 60
window 90 16
window:shards 80 16
voronoi 70
chocolate 70
hourglass 40 20
can:fine 58 48
paper 80
paper:hole 80
rope 90
woven 90
woven:twist 55
knitted 90
letters 35 48
tetra 70
points-spheres 15
points-kubbs 45
points-brush 95
points-tearing 75
points-tearing:diagonal 75
points-tearing:plain 70
torus-wall 70
points-block 30
points-wall 22
bending-3d:stress 45
rod-spring:paper 16
rod-twist 92
rod-thin-plate 100
rod-thick-plate 100
hertz-static 97
ductile-strip 65"

# NAME[:VARIANT] of videos for docs/videos, and how much of the run, in percent: then something happens in all of it.
VIDEOS="plate 60
window 100
hourglass 100
can 100
drill-wood 100
letters 100
points-spheres 80
points-kubbs 60
points-brush 100
points-tearing 100
torus-wall 100
points-block 35
points-wall 45"
out=build/gallery images=docs/images/gallery videos=docs/videos
LARGEST=204800 # bytes of a committed picture
LARGEST_VIDEO=350000
VIDEO_FRAMES=72 VIDEO_RATE=24

again=false video=false
while [[ ${1:-} == --* ]]; do
    case $1 in
        --again) again=true ;;
        --video) video=true ;;
        *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
    esac
    shift
done
sherd=${1:-build/bin/sherd}
shift || true
if $video; then list=$VIDEOS; else list=$ALL; fi
[ $# -gt 0 ] || set -- $(cut -d' ' -f1 <<<"$list")
[ -x "$sherd" ] || { echo "scripts/gallery.sh: no command $sherd; run make build" >&2; exit 2; }
mkdir -p "$out" "$images" "$videos"

column() { # ITEM NUMBER
    awk -v item="$1" -v n="$2" '$1 == item { print $n }' <<<"$list"
}

simulate() { # NAME VARIANT FOLDER OPTION...
    local scene=scenes/$1.yaml options=(--no-pictures --quiet "${@:4}")
    [ -z "$2" ] || options+=(--variant "$2")
    rm -rf "${3:?}"
    "$sherd" run "$scene" "${options[@]}" -o "$3"
}

# Meshes at rest are for the check only.
check_run() { # FOLDER
    local squeeze=0.1
    [[ $1 != */points-* ]] || squeeze=0.25 # soft and drawn out
    "$sherd" surface "$1" --rest --quiet && scripts/check-meshes --squeeze $squeeze "$1" && rm -r "$1/rest"
}

# The scene says the rest, as it is now.
render() { # NAME FOLDER SIZE SAMPLES OPTION...
    "$sherd" render "$2" --scene "scenes/$1.yaml" --set output.render.width="${3%x*}" \
        --set output.render.height="${3#*x}" --set output.render.samples="$4" --quiet "${@:5}"
}

# The best quality at which it is small enough.
compress() { # FROM TO
    local quality
    for quality in 2 3 4 5 7 9; do
        ffmpeg -y -v error -i "$1" -frames:v 1 -pix_fmt yuvj420p -q:v $quality "$2" || return 1
        [ "$(stat -c %s "$2")" -gt $LARGEST ] || return 0
    done
}

last_frame() { # FOLDER
    "$sherd" info "$1" | awk '$2 == "of" && $4 ~ /^frames/ { print $1 - 1 }'
}

take_picture() { # NAME RUN PERCENT SAMPLES
    local last frame
    last=$(last_frame "$out/$2") && frame=$((last * $3 / 100)) || return 1
    render "$1" "$out/$2" 1280x720 "$4" --set output.render.video=false --frames $frame:$frame -o "$out/$2/shown" &&
        cp "$out/$2/shown/frame_$(printf %06d $frame).png" "$out/$2.png" && compress "$out/$2.png" "$images/$2.jpg"
}

make_picture() { # NAME VARIANT RUN PERCENT SAMPLES
    if ! $again || [ ! -e "$out/$3/run.sherd" ]; then
        simulate "$1" "$2" "$out/$3" --set "output.meshes=[ply]" || return 1
        check_run "$out/$3" || return 1
    fi
    take_picture "$1" "$3" "$4" "$5"
}

# So many that PERCENT of the run make a video.
frame_rate() { # NAME VARIANT PERCENT
    local options=()
    [ -z "$2" ] || options+=(--variant "$2")
    "$sherd" info "scenes/$1.yaml" "${options[@]}" |
        awk -v n="$VIDEO_FRAMES" -v percent="$3" '$1 == "scene" { print n / ($3 * percent / 100) }'
}

# H.264 of FOLDER's pictures.
encode() { # FOLDER CRF TO OPTION...
    ffmpeg -y -v error -nostdin -framerate $VIDEO_RATE -i "$1/frames/frame_%06d.png" -c:v libx264 -crf "$2" -preset slow \
        -pix_fmt yuv420p -movflags +faststart "${@:4}" "$3"
}

# The best quality at which it is small enough.
compress_video() { # FOLDER TO
    local quality
    for quality in 20 22 24 26 28 31 34 38; do
        encode "$1" $quality "$2" -vf scale=640:360 || return 1
        [ "$(stat -c %s "$2")" -gt $LARGEST_VIDEO ] || { echo "$2 at quality $quality"; return 0; }
    done
    echo "$2 has more than $LARGEST_VIDEO bytes"
    return 1
}

make_video() { # NAME VARIANT RUN PERCENT
    local folder=$out/$3-video
    if ! $again || [ ! -e "$folder/run.sherd" ]; then
        simulate "$1" "$2" "$folder" --set "output.meshes=[]" \
            --set "output.frame_rate=$(frame_rate "$1" "$2" "${4:-100}")" --frames $VIDEO_FRAMES || return 1
    fi
    render "$1" "$folder" "${VIDEO_SIZE:-640x360}" "${VIDEO_SAMPLES:-8}" --set output.render.video=false &&
        encode "$folder" 17 "$out/$3.mp4" || return 1
    [ -z "$4" ] || compress_video "$folder" "$videos/$3.mp4"
}

failures=0
printf '%-18s %8s  %s\n' scene time verdict
for item in "$@"; do
    name=${item%%:*} variant=
    [ "$name" = "$item" ] || variant=${item#*:}
    run=${item/:/-} percent=$(column "$item" 2) samples=$(column "$item" 3)
    start=$SECONDS
    : >"$out/$run.log"
    if $video; then
        make_video "$name" "$variant" "$run" "$percent"
    else
        make_picture "$name" "$variant" "$run" "${percent:-75}" "${samples:-32}"
    fi >>"$out/$run.log" 2>&1
    if [ $? -eq 0 ]; then
        verdict=$(tail -n 1 "$out/$run.log")
    else
        verdict="FAILED: $(tail -n 1 "$out/$run.log"); all of it in $out/$run.log"
        failures=$((failures + 1))
    fi
    printf '%-18s %6d s  %s\n' "$item" $((SECONDS - start)) "$verdict"
done
if $video; then echo "videos: $out/*.mp4; those of docs/guide/gallery.md: $videos"; else echo "pictures: $out/*.png; those of docs/guide/gallery.md: $images"; fi
[ "$failures" -eq 0 ] || { echo "scripts/gallery.sh: $failures of $# scenes failed" >&2; exit 1; }
