# Shortcuts over CMake. `make demo` breaks a plate, `make test` checks everything.
#
#   JOBS=4       processes to compile with (default: all cores)
#   PREFIX=/usr  where `make install` goes (default /usr/local); DESTDIR is honoured

JOBS ?= $(shell nproc 2>/dev/null || echo 1)
PREFIX ?= /usr/local
BUILD ?= build
DEMO ?= out/demo

# Hot loops for all instruction sets, of which a machine takes the best that it has (cmake/options.cmake); `make demo`
# makes those of this machine alone in a new folder, and other targets add the rest.
KERNELS ?= all
# Warnings are errors where `make test` begins a folder. In others they stay what they were, or all would be compiled anew.
WERROR ?= $(if $(wildcard $(BUILD)/CMakeCache.txt),,ON)
CONFIGURE = scripts/configure $(BUILD) -DSHERD_KERNELS=$(KERNELS) -DSHERD_BENCH=ON
TESTED = $(CONFIGURE) -DCMAKE_BUILD_TYPE=Release $(addprefix -DSHERD_WERROR=,$(WERROR)) -DSHERD_BUILD_TESTS=ON \
  -DSHERD_BUILD_EXAMPLES=ON
C_FILES = git ls-files '*.c' '*.h'
CLANG_FORMAT ?= $(shell command -v clang-format-14 || echo clang-format)

MINUTES ?= 10

.PHONY: all setup build demo gallery test quick fuzz faults bench format check-format tidy install package wheel blender blender-picture docs clean

all: build

setup:
	@scripts/setup

# Only the command; the tests are compiled by `make test`.
build: setup scenes/bowl.stl
	@$(CONFIGURE)
	@cmake --build $(BUILD) --parallel $(JOBS) --target sherd-command

# The mesh of scenes/bowl-mesh.yaml.
scenes/bowl.stl: scripts/make-bowl.py
	@python3 scripts/make-bowl.py $@

# In a new folder only what it needs is compiled; what else `make` and `make test` want, they add to that.
demo: setup
	@[ -e $(BUILD)/CMakeCache.txt ] || \
	  scripts/configure $(BUILD) -DSHERD_KERNELS=native -DSHERD_BENCH=OFF -DSHERD_BUILD_TESTS=OFF -DSHERD_BUILD_EXAMPLES=OFF
	@cmake --build $(BUILD) --parallel $(JOBS) --target sherd-command
	$(BUILD)/bin/sherd run scenes/plate.yaml -o $(DEMO)
	$(BUILD)/bin/sherd render $(DEMO)
	@scripts/list-run $(DEMO)

# Pictures and checked meshes of the scenes in docs/guide/gallery.md; GALLERY="can rope" for some.
gallery: build
	@scripts/gallery.sh $(BUILD)/bin/sherd $(GALLERY)

test: setup
	@$(TESTED)
	@cmake --build $(BUILD) --parallel $(JOBS)
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

# Tests of what changed since the last commit, in about a minute; says which ones it leaves out.
quick: setup
	@$(TESTED) >/dev/null
	@scripts/quick-tests $(BUILD) --jobs $(JOBS)

# Every point at which a run may be killed, a disk may be full, a file may be damaged: half an hour or so.
faults: setup
	@$(CONFIGURE) -DSHERD_BUILD_TESTS=ON
	@cmake --build $(BUILD) --parallel $(JOBS) --target sherd-command fault_shim
	@python3 tests/cli/faults.py $(BUILD)/bin/sherd $(BUILD)/tests/cli/faults/libfault_shim.so --all --figures

# Every fuzz target for MINUTES (10); tests/fuzz/README.md. What is found stays in build/fuzz/found.
fuzz: setup
	@tests/fuzz/run --seconds $$(($(MINUTES) * 60)) --jobs $(JOBS)

bench: build
	$(BUILD)/bin/sherd bench explicit

format:
	$(C_FILES) | xargs $(CLANG_FORMAT) -i

check-format:
	@$(C_FILES) | xargs $(CLANG_FORMAT) --dry-run -Werror

# Checks of .clang-tidy, of all sources or of FILES="src/base/file.c ...".
FILES ?= $(shell git ls-files 'src/*.c' 'apps/*.c')
tidy: setup # needs clang-tidy
	@scripts/configure $(BUILD) -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
	@echo $(FILES) | tr ' ' '\n' | xargs -P $(JOBS) -n 20 clang-tidy -p $(BUILD) --quiet

install: setup
	@$(CONFIGURE) -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@cmake --build $(BUILD) --parallel $(JOBS)
	@cmake --install $(BUILD) --prefix $(PREFIX)

# Debian packages: the shared library, what programs need to link to it, the command, the Python module. From the
# objects that are built for all else: only the command is linked anew, and next time once more.
package:
	@scripts/setup --package
	@$(CONFIGURE) -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_SHARED_LIBS=ON \
	  -DSHERD_PYTHON_FOLDER=lib/python3/dist-packages
	@cmake --build $(BUILD) --parallel $(JOBS) --target sherd-shared sherd-command
	@rm -rf $(BUILD)/package
	@cd $(BUILD) && cpack -G DEB -B package
	@rm -rf $(BUILD)/package/_CPack_Packages
	@$(CONFIGURE) -UCMAKE_INSTALL_PREFIX -DBUILD_SHARED_LIBS=OFF -DSHERD_PYTHON_FOLDER= >/dev/null
	@ls $(BUILD)/package/*.deb

# The Python module for `pip install` in a virtual environment, with the library and what that needs.
wheel: setup
	@$(CONFIGURE)
	@cmake --build $(BUILD) --parallel $(JOBS) --target sherd-shared
	@scripts/make-wheel $(BUILD)/libsherd.so -o $(BUILD)

# The add-on for Blender 3.4 and later: build/sherd-blender.zip.
blender:
	@scripts/make-blender-addon -o $(BUILD)/sherd-blender.zip

# The pictures of docs/guide/blender.md: the plate by Sherd, and imported and rendered by Cycles; needs Blender and ffmpeg.
blender-picture: build
	@scripts/draw-blender-picture --sherd $(BUILD)/bin/sherd

# The manual as a site with search that opens from the disk: build/docs/html/index.html.
docs:
	@scripts/setup --docs
	@scripts/make-docs

clean:
	rm -rf $(BUILD) build-* out
