package lsptest

import (
	"maps"
	"time"
)

// The measured editors. A comment names the row of the feature table ("row") or of the timing table; "source" marks
// what is known from the editor's own source or log of initialize, not measured.

// All are the profiles of the measured editors.
func All() []Profile { return []Profile{Neovim010(), Neovim012(), Helix(), Emacs(), VSCode()} }

// Plain is a small honest client: the base protocol, applyEdit and versions, utf-16, everything at once and in order.
func Plain() Profile {
	return Profile{
		Name: "plain", Version: "1", FirstVersion: 1, Order: ChangeFirst, Stale: SayTruth, Virtual: VirtualRefused,
		Capabilities: Capabilities{
			"workspace.applyEdit":                     true,
			"workspace.workspaceEdit.documentChanges": true,
			"workspace.executeCommand":                Capabilities{},
			"textDocument.synchronization.didSave":    true,
			"textDocument.publishDiagnostics":         Capabilities{},
		},
	}
}

// common is offered by all five.
func common() Capabilities {
	return Capabilities{
		"workspace.applyEdit":                                             true,
		"workspace.configuration":                                         true, // row workspace/configuration + didChangeConfiguration
		"workspace.didChangeConfiguration.dynamicRegistration":            false,
		"workspace.workspaceFolders":                                      true,
		"window.workDoneProgress":                                         true, // row workDoneProgress
		"window.showDocument.support":                                     true, // row showDocument file + selection
		"textDocument.synchronization.didSave":                            true,
		"textDocument.codeAction.codeActionLiteralSupport.codeActionKind": Capabilities{"valueSet": kinds},
		"textDocument.codeAction.isPreferredSupport":                      true,
		"textDocument.codeAction.dataSupport":                             true,
		"textDocument.codeAction.resolveSupport.properties":               []string{"edit", "command"}, // row codeAction/resolve
		"textDocument.inlayHint.dynamicRegistration":                      false,                       // row inlayHint
		"textDocument.documentSymbol.hierarchicalDocumentSymbolSupport":   true,
		"textDocument.publishDiagnostics.tagSupport.valueSet":             []int{1, 2},
	}
}

// kinds is source: what all five name; a client handles other kinds gracefully.
var kinds = []string{
	"", "quickfix", "refactor", "refactor.extract", "refactor.inline", "refactor.rewrite", "source", "source.organizeImports",
}

func offers(more Capabilities) Capabilities {
	all := common()
	maps.Copy(all, more)
	return all
}

// Neovim012 is Neovim 0.12.4.
func Neovim012() Profile {
	p := neovim()
	p.Version = "0.12.4"
	p.Lined = Lined012
	p.Encodings = []string{"utf-8", "utf-16", "utf-32"} // row position encodings
	p.Lenses = AsksAlways                               // row codeLens, after vim.lsp.codelens.enable(true)
	p.Capabilities["workspace.codeLens.refreshSupport"] = true
	p.Capabilities["workspace.diagnostics.refreshSupport"] = true
	p.Capabilities["textDocument.codeLens.resolveSupport.properties"] = []string{"command"}
	return p
}

// Neovim010 is Neovim 0.10.4.
func Neovim010() Profile {
	p := neovim()
	p.Version = "0.10.4"
	p.Lined = Lined010
	p.Encodings = []string{"utf-16"} // row position encodings
	p.Lenses = AsksOnDemand          // row codeLens: not advertised; must call refresh
	return p
}

func neovim() Profile {
	return Profile{
		Name:         "Neovim",
		FirstVersion: 0,             // row first document version
		Raise:        RaiseAtChange, // source: changedtick
		ZeroPasses:   true,          // rows applyEdit stale, applyEdit against version 0
		Stale:        SayApplied,    // row applyEdit, stale version: not applied, but replies applied:true
		Order:        OrderMixed,    // timing: half of the cases reply first
		Cut:          CutRows,       // "cuts its own ranges": recorded, testdata/neovim
		Hold:         Hold{After: 150 * time.Millisecond},
		Lines:        LinesFormat,  // source: fileformat; edits' endings become the buffer's
		Hints:        AsksAlways,   // row inlayHint, enabled
		Unknown:      UnknownError, // row custom request
		Virtual:      VirtualEmpty, // row showDocument galley:
		MakesFolders: true,         // row rename
		Capabilities: offers(Capabilities{
			// source: no workspaceEdit.documentChanges is offered; resource operations are, and imply them
			"workspace.workspaceEdit.resourceOperations":          []string{"rename", "create", "delete"},
			"workspace.workspaceEdit.normalizesLineEndings":       true,
			"workspace.workspaceEdit.changeAnnotationSupport":     Capabilities{"groupsOnLabel": true},
			"workspace.didChangeWatchedFiles.dynamicRegistration": false, // row didChangeWatchedFiles: not on Linux
			"workspace.inlayHint.refreshSupport":                  true,  // row inlayHint/refresh
			"window.showMessage.messageActionItem":                Capabilities{"additionalPropertiesSupport": true},
			"textDocument.hover.contentFormat":                    []string{"markdown", "plaintext"},
			"textDocument.codeAction.disabledSupport":             true,
			"textDocument.codeAction.dynamicRegistration":         true,
			"textDocument.hover.dynamicRegistration":              true,
			"textDocument.inlayHint.dynamicRegistration":          true,
			"textDocument.publishDiagnostics.relatedInformation":  true,
			"textDocument.publishDiagnostics.dataSupport":         true,
		}),
	}
}

// Helix is Helix 25.07.1.
func Helix() Profile {
	return Profile{
		Name: "helix", Version: "25.07.1 (a05c151b)",
		Encodings:    []string{"utf-8", "utf-32", "utf-16"}, // row position encodings
		FirstVersion: 0,                                     // row first document version
		Raise:        RaiseAtChange,
		ZeroPasses:   false,          // rows applyEdit stale, applyEdit against version 0
		Stale:        SayTruth,       // row applyEdit, stale version: applied:false, "document has changed"
		Order:        ChangeFirst,    // timing: didChange, then reply
		Cut:          CutAscending,   // source: changeset_to_events
		Lines:        LinesRaw,       // source
		Lenses:       AsksNever,      // row codeLens
		Hints:        AsksAlways,     // row inlayHint, display-inlay-hints
		Unknown:      UnknownError,   // row custom request
		Virtual:      VirtualRefused, // row showDocument galley:
		Capabilities: offers(Capabilities{
			"workspace.workspaceEdit.documentChanges":             true,
			"workspace.workspaceEdit.resourceOperations":          []string{"create", "rename", "delete"}, // rows create, rename, delete
			"workspace.workspaceEdit.failureHandling":             "abort",
			"workspace.workspaceEdit.normalizesLineEndings":       false,
			"workspace.executeCommand.dynamicRegistration":        false,
			"workspace.didChangeWatchedFiles.dynamicRegistration": true,  // row didChangeWatchedFiles: only its own saves
			"workspace.inlayHint.refreshSupport":                  false, // row inlayHint/refresh
			"window.showMessage.messageActionItem":                Capabilities{"additionalPropertiesSupport": true},
			"textDocument.hover.contentFormat":                    []string{"markdown"}, // source
			"textDocument.codeAction.disabledSupport":             true,
			"textDocument.publishDiagnostics.versionSupport":      true, // source
		}),
	}
}

// Emacs is Emacs 30.1 with eglot 1.17.30.
func Emacs() Profile {
	return Profile{
		Name: "Emacs", Version: "30.1",
		Encodings:    []string{"utf-32", "utf-8", "utf-16"}, // row position encodings
		FirstVersion: 0,                                     // row first document version
		Raise:        RaiseAtSend,                           // "holds typed text back … without raising the version"
		ZeroPasses:   false,                                 // row applyEdit stale; of what was sent
		Stale:        SayError,                              // row applyEdit, stale version: a JSON-RPC error
		Order:        ReplyLong,                             // timing: reply, then didChange 313-637 ms later
		Cut:          CutExact,
		Hold:         Hold{After: 500 * time.Millisecond, Idle: true}, // timing: after 0.5 s idle
		Blocks:       true,                                            // "one editor sends no didChange while a command is open"
		Lines:        LinesHidden,                                     // source: the buffer, where Emacs keeps LF, is sent
		Lenses:       AsksNever,                                       // row codeLens
		Hints:        AsksAlways,                                      // row inlayHint
		Unknown:      UnknownNull,                                     // row custom request: unhandled ones answer null
		Virtual:      VirtualRefused,                                  // row showDocument galley:
		KeepsNames:   true,                                            // trap: drops diagnostics of encoded non-ASCII names
		RawPercent:   true,                                            // trap: does not encode a literal %
		Capabilities: offers(Capabilities{
			"workspace.workspaceEdit.documentChanges":                true,
			"workspace.executeCommand.dynamicRegistration":           false,
			"workspace.didChangeWatchedFiles.dynamicRegistration":    true, // row didChangeWatchedFiles
			"textDocument.hover.contentFormat":                       []string{"plaintext"},
			"textDocument.publishDiagnostics.relatedInformation":     false,
			"textDocument.publishDiagnostics.codeDescriptionSupport": false,
		}),
	}
}

// VSCode is VS Code 1.100.3 with vscode-languageclient 11.
func VSCode() Profile {
	return Profile{
		Name: "Visual Studio Code", Version: "1.100.3",
		Encodings:     []string{"utf-16"}, // row position encodings
		FirstVersion:  1,                  // row first document version
		Raise:         RaiseAtChange,
		ZeroPasses:    false,      // row applyEdit, stale version
		Stale:         SayTruth,   // same row: applied:false
		Order:         ReplyFirst, // timing: reply, then didChange 0-1 ms later
		Cut:           CutExact,
		Lines:         LinesOne,     // source: a text model has one line ending
		Lenses:        AsksAlways,   // row codeLens
		Hints:         AsksAlways,   // row inlayHint
		Unknown:       UnknownError, // row custom request
		Virtual:       VirtualOpens, // rows showDocument galley:, workspace/textDocumentContent
		SavesRefactor: true,         // row edit of a file that is not open
		MakesFolders:  true,         // row rename
		Capabilities: offers(Capabilities{
			"workspace.workspaceEdit.documentChanges":                true,
			"workspace.workspaceEdit.resourceOperations":             []string{"create", "rename", "delete"},
			"workspace.workspaceEdit.failureHandling":                "textOnlyTransactional",
			"workspace.workspaceEdit.normalizesLineEndings":          true,
			"workspace.workspaceEdit.changeAnnotationSupport":        Capabilities{"groupsOnLabel": true},
			"workspace.workspaceEdit.metadataSupport":                true,
			"workspace.workspaceEdit.snippetEditSupport":             true, // row snippet text edits
			"workspace.executeCommand.dynamicRegistration":           true,
			"workspace.didChangeConfiguration.dynamicRegistration":   true,
			"workspace.didChangeWatchedFiles.dynamicRegistration":    true, // row didChangeWatchedFiles
			"workspace.didChangeWatchedFiles.relativePatternSupport": true,
			"workspace.codeLens.refreshSupport":                      true, // row codeLens/refresh
			"workspace.inlayHint.refreshSupport":                     true, // row inlayHint/refresh
			"workspace.diagnostics.refreshSupport":                   true, // row diagnostic/refresh
			"workspace.textDocumentContent.dynamicRegistration":      true, // row workspace/textDocumentContent + refresh
			"window.showMessage.messageActionItem":                   Capabilities{"additionalPropertiesSupport": true},
			"textDocument.hover.contentFormat":                       []string{"markdown", "plaintext"},
			"textDocument.hover.dynamicRegistration":                 true,
			"textDocument.codeLens.dynamicRegistration":              true,
			"textDocument.codeAction.dynamicRegistration":            true,
			"textDocument.codeAction.disabledSupport":                true,
			"textDocument.codeAction.honorsChangeAnnotations":        true,
			"textDocument.inlayHint.dynamicRegistration":             true,
			"textDocument.documentSymbol.dynamicRegistration":        true,
			"textDocument.publishDiagnostics.versionSupport":         false, // source
			"textDocument.publishDiagnostics.relatedInformation":     true,
			"textDocument.publishDiagnostics.codeDescriptionSupport": true,
			"textDocument.publishDiagnostics.dataSupport":            true,
		}),
	}
}
