#!/usr/bin/env bash
# scripts/compare-surfaces.sh [SHERD] [SCENE]...    every method of surfaces on the same frames
#
# SHERD is the command (default build/bin/sherd). For each scene (default: plate, chocolate, window, woven,
# bowl-mesh, tetra, and `terraces`): runs it into build/surfaces/SCENE, draws one frame
# by every method from where scenes look and from near, and leaves docs/images/surfaces/SCENE.png (methods
# side by side, near below) and build/surfaces/SCENE.md, the rows of tables in docs/notebook/surfaces.md. What
# is in build/surfaces is kept: remove it to begin anew. Needs ffmpeg and python3.
set -uo pipefail
cd "$(dirname "$0")/.."
sherd=${1:-build/bin/sherd}
shift || true
[ -x "$sherd" ] || { echo "scripts/compare-surfaces.sh: no command $sherd; run make build" >&2; exit 2; }
[ $# -gt 0 ] || set -- plate chocolate window woven bowl-mesh tetra terraces
out=build/surfaces images=docs/images/surfaces
LARGEST=122880 # bytes of a committed picture
LOOK=(--set output.render.width=400 --set output.render.height=225 --set output.render.samples=6
      --set output.render.video=false)
mkdir -p "$out" "$images"

frame_of() { # SCENE
    case $1 in
    plate*) echo 11 ;;
    window) echo 8 ;;
    tetra) echo 7 ;;
    *) echo 12 ;;
    esac
}
methods_of() { # SCENE
    case $1 in
    woven) echo "cut fluid" ;; # every method but fluid draws yarns as tubes
    tetra) echo "tetra_faces cut marching fluid" ;;
    *) echo "cut marching fluid" ;;
    esac
}
near_of() { # SCENE
    case $1 in
    plate*) echo "{position: [0.42, -0.5, 0.3], target: [0.03, -0.085, 0.01], fov: 9 deg}" ;;
    chocolate) echo "{position: [150, -230, 150], target: [15, -10, 8], fov: 9 deg}" ;;
    window) echo "{position: [0.24, 0.48, 0.1], target: [0, 0.005, -0.02], fov: 8 deg}" ;;
    woven) echo "{position: [20 mm, -75 mm, 65 mm], target: [4 mm, 2 mm, 0], fov: 12 deg}" ;;
    bowl-mesh) echo "{position: [0.45, -0.45, 0.25], target: [0.075, 0.01, 0.03], fov: 10 deg}" ;;
    tetra) echo "{position: [20 mm, -280 mm, 120 mm], target: [50 mm, 0, 18 mm], fov: 15 deg}" ;;
    esac
}

run_scene() { # SCENE RUN [SETTING]...
    local scene=$1 run=$2
    shift 2
    [ ! -e "$out/$run/run.sherd" ] || return 0
    local options=()
    for setting in "$@"; do options+=(--set "$setting"); done
    "$sherd" run "scenes/$scene.yaml" --no-pictures --quiet --frames "$(frame_of "$run")" \
        --set "output.meshes=[]" "${options[@]}" \
        -o "$out/$run" >"$out/$run.log" 2>&1
}

picture() { # RUN TILE [SETTING]...
    local run=$1 tile=$2 frame settings=()
    shift 2
    [ ! -e "$out/$tile.png" ] || return 0
    frame=$(frame_of "$run")
    for setting in "$@"; do settings+=(--set "$setting"); done
    rm -rf "$out/$tile"
    "$sherd" render "$out/$run" --frames "$frame:$frame" "${LOOK[@]}" "${settings[@]}" -o "$out/$tile" \
        >"$out/$tile.log" 2>&1 && mv "$out/$tile"/frame_*.png "$out/$tile.png"
}

# Tiles, so many in a row, to one picture of few enough colours.
sheet() { # TO COLUMNS TILE...
    local to=$1 columns=$2 inputs=() layout="" k=0 colors
    shift 2
    for tile in "$@"; do
        inputs+=(-i "$out/$tile.png")
        layout+="${layout:+|}$((k % columns * 400))_$((k / columns * 225))"
        k=$((k + 1))
    done
    for colors in 256 128 64 32; do
        ffmpeg -y -v error "${inputs[@]}" -filter_complex \
            "xstack=inputs=$k:layout=$layout,split[a][b];[a]palettegen=max_colors=$colors[p];[b][p]paletteuse=dither=none" \
            -frames:v 1 "$to" || return 1
        [ "$(stat -c %s "$to")" -gt $LARGEST ] || return 0
    done
}

# Meshes of the frame at rest, and a row of the table: scripts/measure-surfaces does both.
measure() { # RUN LABEL REFERENCE [SETTING]...
    local run=$1 label=$2 reference=$3 frame settings=()
    shift 3
    frame=$(frame_of "$run")
    for setting in "$@"; do settings+=(--set "$setting"); done
    [ -s "$out/$run-$label.row" ] ||
        scripts/measure-surfaces "$label" "$out/$run-$label" "$reference" "$sherd" surface "$out/$run" --rest \
            --frames "$frame:$frame" "${settings[@]}" -o "$out/$run-$label" >"$out/$run-$label.row" || return 1
    cat "$out/$run-$label.row"
}

compare_methods() { # SCENE
    local scene=$1 far=() near=() method reference
    run_scene "$scene" "$scene" || return 1
    : >"$out/$scene.md"
    for method in $(methods_of "$scene"); do
        picture "$scene" "$scene-$method-far" "output.surface.method=$method" || return 1
        picture "$scene" "$scene-$method-near" "output.surface.method=$method" \
            "output.render.camera=$(near_of "$scene")" || return 1
        far+=("$scene-$method-far") near+=("$scene-$method-near")
        reference="$out/$scene-whole"
        [ -e "$reference" ] || "$sherd" surface "$out/$scene" --rest --frames 0:0 -o "$reference" >/dev/null || return 1
        measure "$scene" "$method" "$reference" "output.surface.method=$method" >>"$out/$scene.md" || return 1
    done
    sheet "$images/$scene.png" ${#far[@]} "${far[@]}" "${near[@]}" && cat "$out/$scene.md"
}

# What hides the lattice: LABEL, run, settings of the surface.
TERRACES=("narrow plate output.surface.smoothing=1.2"
          "equal plate-equal output.surface.smoothing=1.5"
          "scattered plate-scattered output.surface.smoothing=1.5"
          "bells-3 plate output.surface.smoothing=3"
          "rough plate output.surface.smoothing=1.5 output.surface.roughness.amplitude=0.2mm"
          "fluid plate output.surface.method=fluid")
compare_terraces() {
    local item label run tiles=() camera
    camera="{position: [0.42, -0.5, 0.3], target: [-0.05, -0.055, 0.02], fov: 5 deg}"
    run_scene plate plate || return 1
    run_scene plate plate-equal materials.ceramic.weibull_modulus=0 || return 1
    run_scene plate plate-scattered materials.ceramic.weibull_modulus=3 || return 1
    : >"$out/terraces.md"
    for item in "${TERRACES[@]}"; do
        read -r label run settings <<<"$item"
        # shellcheck disable=SC2086  # settings are words
        picture "$run" "terraces-$label" "output.render.camera=$camera" $settings || return 1
        # shellcheck disable=SC2086
        measure "$run" "terraces-$label" - $settings >>"$out/terraces.md" || return 1
        tiles+=("terraces-$label")
    done
    sheet "$images/terraces.png" 3 "${tiles[@]}" && cat "$out/terraces.md"
}

failures=0
for scene in "$@"; do
    echo "== $scene"
    if [ "$scene" = terraces ]; then compare_terraces; else compare_methods "$scene"; fi ||
        { echo "scripts/compare-surfaces.sh: $scene failed, see $out/$scene*.log" >&2; failures=$((failures + 1)); }
done
[ "$failures" -eq 0 ]
