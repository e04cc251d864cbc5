;;; galley.el --- galley through eglot (Emacs 29 and newer), without a package -*- lexical-binding: t -*-

;; Load this file from your init file, open a text file below a project (a git repository), then M-x eglot.
;; M-x galley-ask, galley-apply, galley-reject, galley-preview, galley-next, galley-commit, galley-revert.
;; C-h . shows the whole diff of the change at point, M-x eglot-code-actions offers what can be done with it.

(require 'eglot)

;; eglot runs one server for a major mode: list the modes that have no other.
(add-to-list 'eglot-server-programs '((text-mode markdown-mode conf-mode) . ("galley" "serve")))

;; Apply what you have just asked for without asking again.
(setq eglot-confirm-server-edits nil)

(defun galley-run (command &rest argument)
  "Run galley's COMMAND with ARGUMENT, a plist; eglot sends unsent typing first."
  (eglot--request (eglot--current-server-or-lose) :workspace/executeCommand
                  `(:command ,(concat "galley." command) :arguments ,(if argument (vector argument) []))))

(defun galley-letter (prompt)
  "Ask for a letter; the one of the change at point is the default."
  (let ((here (seq-some (lambda (d) (let ((text (flymake-diagnostic-text d)))
                                      (and (string-match "\\[\\([A-Z]\\)\\]" text) (match-string 1 text))))
                        (flymake-diagnostics (line-beginning-position) (line-end-position)))))
    (read-string (format-prompt prompt here) nil nil here)))

(defun galley-ask (prompt)
  "Ask the agent."
  (interactive "sAsk galley to: ")
  (galley-run "ask" :prompt prompt :uri (plist-get (eglot--TextDocumentIdentifier) :uri)))

(defun galley-apply (letter) "Apply LETTER." (interactive (list (galley-letter "Apply"))) (galley-run "apply" :change letter))

(defun galley-reject (letter reason)
  "Reject LETTER; the agent hears the REASON."
  (interactive (list (galley-letter "Reject") (read-string "Why: ")))
  (galley-run "reject" :change letter :reason reason))

(defun galley-preview ()
  "Show the open edit."
  (interactive)
  (let ((text (plist-get (galley-run "preview" :format "diff") :text)))
    (with-current-buffer (get-buffer-create "*galley*")
      (erase-buffer) (insert text) (goto-char (point-min)) (diff-mode) (display-buffer (current-buffer)))))

(defun galley-next () "Go to the next change." (interactive)
       (galley-run "next" :uri (plist-get (eglot--TextDocumentIdentifier) :uri) :position (eglot--pos-to-lsp-position)))

(defun galley-commit (summary) "Commit the open edit." (interactive "sSummary: ") (galley-run "commit" :summary summary))

(defun galley-revert (reason) "Revert the open edit." (interactive "sWhy: ") (galley-run "revert" :reason reason))

(provide 'galley)
;;; galley.el ends here
