#!/bin/sh
# test_install.sh BUILD CC    an installed copy can be found, compiled against, linked and run.
set -eu
build=$1
compiler=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# sherd.pc names the prefix given when configuring; --define-variable moves it to the copy.
DESTDIR=$folder cmake --install "$build" >/dev/null
pc=$(find "$folder" -name sherd.pc)
prefix=$folder$(sed -n 's/^prefix=//p' "$pc")
flags=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --define-variable=prefix="$prefix" --cflags --libs sherd)

# Every public header stands on its own.
for header in "$prefix"/include/sherd/*.h; do
    printf '#include <sherd/%s>\nextern int unused;\n' "$(basename "$header")" |
        "$compiler" -std=c17 -Wall -Wextra -Werror -pedantic "-I$prefix/include" -fsyntax-only -x c -
done

# shellcheck disable=SC2086  # one word per flag
"$compiler" -std=c17 -Wall -Wextra -Werror "$here/program.c" -o "$folder/program" $flags
library=$(dirname "$(dirname "$pc")")
LD_LIBRARY_PATH=$library "$folder/program"
test -x "$prefix/bin/sherd"
test -s "$prefix/share/doc/sherd/LICENSE"
for file in bash-completion/completions/sherd zsh/site-functions/_sherd fish/vendor_completions.d/sherd.fish man/man1/sherd.1; do
    test -s "$prefix/share/$file"
done
