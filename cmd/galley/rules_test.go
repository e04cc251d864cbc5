package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// contextTests says where each rule of a request, and each case of a context that is played, has its test: package, test, and
// the beginning of a subtest's name. A test that bears a rule's name can be found by it.
var contextTests = map[string]string{
	"R1":  "memory TestGate/R1 a result of no call",
	"R2":  "memory TestGate/R2 none",
	"R3":  "memory TestR3Cuts",
	"R4":  "memory TestGate/R4 a text and calls",
	"R5":  "memory TestGate/R5 another order",
	"R6":  "memory TestGate/R6 words within a unit",
	"R7":  "memory TestR7WhatRunsIsNotTouched",
	"R8":  "memory TestGate/R8 the same id in two units",
	"R9":  "memory TestR9Tools",
	"R10": "agent/openai TestR10R17CallsAndContents",
	"R11": "memory TestGate/R11 blank texts",
	"R12": "memory TestR12Arguments",
	"R13": "memory TestGate/R13 a second system prompt",
	"R14": "memory TestGate/R14 texts in a row",
	"R15": "memory TestGate/R15 calls without tools",
	"R16": "memory TestR16ThoughtsStayWithTheirModel",
	"R17": "agent/openai TestR10R17CallsAndContents",
	"R18": "memory TestGate/R18 a system prompt within",
	"R19": "memory TestR19EverythingIsCounted",
	"R20": "memory TestCase14R20TokensOfTheServer",
	"R21": "memory TestCase14R21OneNumber",
	"R22": "agent/session TestCase7R22IrreducibleOverhead",
	"R23": "memory TestCase8R23ReplaceMustGain",
	"R24": "agent/session TestR24DeadSessionLives",
	"R25": "agent TestR25WhatIsNoSummary",
	"R26": "memory TestCase15R26PrefixStability",
	"R27": "memory TestR27FoldsAreFrozen",
	"R28": "memory TestR28SameInputSameBytes",
	"R29": "memory TestR29AFoldThatCrashed",
	"R30": "agent/session TestR30ASecondBlockCarriesTheFirst",
	"R31": "memory TestR31Case19TornTail",
	"R32": "memory TestR32RewindReopensFolds",
	"R33": "agent TestCase5R33DoneIsDone",
	"R34": "agent TestCase27R34InstructionsSurvive",
	"R35": "memory TestR35KilledAtEveryWrite",
	"R36": "memory TestR36OverviewInTrouble",

	"Case1":  "memory TestCase1R7UnitsStayWhole",
	"Case2":  "agent TestCase2TheToolThatEatsItself",
	"Case3":  "memory TestCase3CrashBetweenCalls",
	"Case5":  "agent TestCase5R33DoneIsDone",
	"Case7":  "agent/session TestCase7R22IrreducibleOverhead",
	"Case8":  "memory TestCase8R23ReplaceMustGain",
	"Case10": "agent TestCase10R25SummariserSmallerThanTheText",
	"Case11": "agent/session TestCase11OvershootInOneTurn",
	"Case13": "memory TestCase13CJKBudget",
	"Case14": "memory TestCase14R21OneNumber",
	"Case15": "agent TestCase15Recording",
	"Case19": "memory TestR31Case19DamageInTheMiddle",
	"Case21": "agent/tools TestCase21RevertAnEditingSession",
	"Case27": "agent TestCase27R34InstructionsSurvive",
	"Case28": "memory TestCase28RandomHistoriesLong",
}

// TestContextRulesHaveTests: each is there, and its name says so.
func TestContextRulesHaveTests(t *testing.T) {
	sources := map[string]string{}
	for rule, where := range contextTests {
		dir, name, _ := strings.Cut(where, " ")
		if sources[dir] == "" {
			files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*_test.go"))
			if err != nil || len(files) == 0 {
				t.Fatalf("there are no tests in %s: %v", dir, err)
			}
			for _, f := range files {
				text, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				sources[dir] += string(text)
			}
		}
		test, sub, isSub := strings.Cut(name, "/")
		if !strings.Contains(sources[dir], "func "+test+"(t *testing.T)") || isSub && !strings.Contains(sources[dir], `"`+sub+`"`) {
			t.Errorf("%s: there is no test %s", rule, where)
		}
		if !regexp.MustCompile(rule + `\D`).MatchString(name + " ") {
			t.Errorf("the name of %s does not tell of %s", where, rule)
		}
	}
}
