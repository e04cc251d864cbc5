# Needs Go, git and make; `check` and `fuzz` also a C compiler, for the race detector. Go fetches the modules and the
# pinned tools itself; what the editors' tests need comes into .cache/. Help is made from the comments behind the targets.

SHELL := bash
GO ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
BENCH ?= .
BENCHTIME ?= 200ms
FUZZTIME ?= 10s
PACKAGES ?= 3# tested at once: they wait, too, for disks and processes
WAITING ?= 8# parallel tests of a package, on any number of cores: those of the editors wait most of their time
RAPID_SEED ?= $(if $(GALLEY_LONG)$(filter long,$(MAKECMDGOALS)),0,1)# what random tests draw: the same each time; with 0 and in long something else
export RAPID_SEED
# What shares something between goroutines: nothing else can race.
RACED = $(sort $(addprefix ./,$(dir $(shell grep -rlE --include='*.go' --exclude='*_test.go' '"sync(/atomic)?"|AfterFunc|^[[:space:]]+go [a-z]' agent cmd editing lsp memory tasks))))

.DEFAULT_GOAL := help
.PHONY: help build demo test check long bench fuzz nvim nvim-demo vscode vscode-demo e2e llama clean setup

help: ## this text
	@echo "galley $(VERSION): make TARGET"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: setup ## bin/galley, for this machine
	$(GO) build -buildvcs=false -ldflags "-X github.com/galley-ls/galley/cmd/galley/internal/cli.version=$(VERSION)" -o bin/galley ./cmd/galley

demo: build ## an agent edits a sample workspace, and you decide: no key, no network
	@bin/galley demo

test: setup nvim ## all tests, their set-up included
	@.ci/provision.sh llama-server emacs
	@editors/vscode/run.sh test
	@$(MAKE) --no-print-directory e2e E2E=walk.test.ts
	$(GO) test -vet=off -p $(PACKAGES) -parallel $(WAITING) ./...
	@test -n "$$NO_SKIP" || { $(GO) test -count=1 -v -run "^($$(sed -n 's/^func \(Test[^(]*\).*/\1/p' editing/disk/attributes_test.go | paste -sd '|' -))\$$" ./editing/disk; \
		$(GO) test -count=1 -v -run '^(TestLlama|TestU78HomeIsFull|TestEmacsHoldsAFile)$$/^$$' ./cmd/galley; } | grep 'not tested on this machine' || true

check: setup ## vet, staticcheck, formatting, tidy, import arrows, words and named files, Lua, TypeScript, tests of what runs side by side with the race detector (of random worlds and editors a share); writes nothing
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	@echo "$(GO) tool gofumpt -l"; out=$$($(GO) tool gofumpt -l . testdata) || exit 1; test -z "$$out" || \
		{ printf 'not formatted:\n%s\nrun: $(GO) tool gofumpt -w . testdata\n' "$$out"; exit 1; }
	$(GO) mod tidy -diff
	$(GO) test -run 'TestArrow|TestScaffold' ./cmd/galley
	@editors/nvim/test/lint.sh
	@editors/vscode/run.sh check
	@echo 'left to make test, where they run:'; awk -F '"' '/Skip\("make test/ { sub(/^make test [a-z]+ it: /, "", $$2); print FILENAME ":" FNR ": " $$2 }' $(wildcard $(addsuffix *_test.go,$(RACED)))
	CGO_ENABLED=1 $(GO) test -vet=off -race -short -skip 'TestArrow|TestScaffold' -parallel $(WAITING) $(RACED)

long: setup ## the tests that take a share of their rounds by default, with all rounds
	GALLEY_LONG=1 $(GO) test -timeout 2h -v -run 'Long$$|KilledAtEveryPoint|TakingBack' ./...
	ROUNDS=1000 ONLY='^random' $(MAKE) nvim

bench: setup ## all benchmarks as a table: time, aim, time/aim, exponents of growth (BENCH=regexp BENCHTIME=200ms)
	@set -o pipefail; $(GO) test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) ./... | awk "$$benchtable"

fuzz: setup ## every fuzz target for FUZZTIME=10s
	@set -e; grep -rE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+\(' . | sed -E 's/^(.*)\/[^/]*:func (Fuzz[A-Za-z0-9_]+).*/\1 \2/' | sort | \
	while read -r dir name; do \
		echo "== $$name in $$dir"; $(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "$$dir" </dev/null; \
	done

nvim: build ## the plugin's tests, in the real Neovim 0.10 and 0.12
	$(GO) build -o .cache/modelserver ./cmd/modelserver
	@editors/nvim/test/run.sh
	@[ -n "$$ONLY" ] || GALLEY_HOST= ONLY='^shared' editors/nvim/test/run.sh # with a host beside

nvim-demo: build ## a Neovim with the plugin, on the sample workspace: no key, no network
	@editors/nvim/test/demo/demo.sh

TARGETS ?=# of make vscode, as VS Code calls them: linux-x64 darwin-arm64 win32-x64 universal …; this machine's if empty
vscode: setup ## the extension for VS Code with the program in it, editors/vscode/galley-*.vsix (TARGETS="linux-x64 darwin-arm64 universal")
	@GO='$(GO)' VERSION='$(VERSION)' editors/vscode/run.sh package $(TARGETS)

vscode-demo: build ## a VS Code in your browser with the extension, on the sample workspace: no key, no network beyond npm
	@editors/vscode/run.sh build && editors/vscode/e2e/run.sh --demo

e2e: build ## every scenario in the real VS Code (E2E=walk.test.ts: those of a file)
	@editors/vscode/run.sh build && editors/vscode/e2e/run.sh $(E2E)

llama: setup ## the stories with a real llama.cpp server
	@.ci/provision.sh llama-server
	$(GO) test -count=1 -run '^TestLlama$$' ./cmd/galley

clean: ## remove what make made
	rm -rf bin .cache editors/vscode/{bin,dist,node_modules,*.vsix}

setup:
	@command -v $(GO) >/dev/null || { echo "galley needs Go 1.26 or newer: https://go.dev/doc/install"; exit 1; }

# A benchmark says its aim itself: b.ReportMetric(40, "aim-ms"). Those named BenchmarkGrowth.../<size> give an exponent,
# fitted over their sizes: 1 by length, 2 by the square. Lines that are no benchmark are noise or trouble.
define benchtable
function fitted() {
	e = n > 1 ? (n * xy - x * y) / (n * xx - x * x) : 0
	if (n > 1) printf "%-56s %12s %10s %9.2f%s\n", growth, "exponent", 1.15, e, (e > 1.15 ? "  over" : "")
	n = x = y = xx = xy = 0
}
END { fitted() }
function ms(x) { return sprintf(x < 0.01 ? "%.6f" : x < 1 ? "%.4f" : "%.2f", x) }
BEGIN { printf "%-56s %12s %10s %9s\n", "benchmark", "time ms", "aim ms", "time/aim" }
/^(goos|goarch|pkg|cpu): |^PASS$$|^ok |^\? / { next }
/^Benchmark.* ns\/op/ {
	aim = 0; rest = ""
	for (i = 3; i < NF; i += 2) {
		if ($$(i + 1) == "ns/op") time = $$i / 1e6
		else if ($$(i + 1) == "aim-ms") aim = $$i
		else rest = rest "  " $$i " " $$(i + 1)
	}
	sub(/^Benchmark/, "", $$1); sub(/-[0-9]+$$/, "", $$1)
	ratio = aim ? sprintf("%.2f", time / aim) : "-"
	over = (aim && time > aim) ? "  over" : ""
	size = $$1; row = sub(/^Growth.*\//, "", size) ? substr($$1, 1, length($$1) - length(size) - 1) : ""
	if (row != growth) { fitted(); growth = row }
	if (row) { n++; a = log(size); b = log(time); x += a; y += b; xx += a * a; xy += a * b }
	printf "%-56s %12s %10s %9s%s%s\n", $$1, ms(time), aim ? sprintf("%g", aim) : "-", ratio, over, rest
	next
}
/^Benchmark[^ ]*$$/ { next }
{ print }
endef
export benchtable
