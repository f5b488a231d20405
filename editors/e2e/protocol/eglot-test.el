;; FOREWORD_BIN=… emacs -q --batch -l eglot-test.el    Emacs's LSP client as a second opinion.
;; (-q, not -Q: Debian adds its elpa packages through site-start.)
(package-initialize)
(require 'cl-lib)
(require 'eglot)
(require 'flymake)

(defvar passed 0)
(defvar failed 0)
(defmacro check (name &rest body)
  "Run BODY; an error fails the test NAME, the value is shown beside it."
  `(condition-case e
       (let ((note (format "%s" (progn ,@body))))
         (setq passed (1+ passed))
         (princ (format "ok - %s  # %s\n" ,name (truncate-string-to-width (string-replace "\n" " | " note) 150))))
     (error (setq failed (1+ failed))
            (princ (format "not ok - %s: %S\n" ,name e)))))
(defun wait-for (what f)
  "Poll F until it gives something; WHAT names it when it never does."
  (with-timeout (60 (error "Timed out: %s" what))
    (let (r)
      (while (not (setq r (funcall f))) (accept-process-output nil 0.02))
      r)))
(defun must (re text)
  "TEXT, which RE must match."
  (unless (string-match-p re text) (error "No /%s/ in: %s" re text))
  text)

(define-derived-mode any-mode fundamental-mode "Any")
(dolist (re '("\\.go\\'" "\\.md\\'")) (add-to-list 'auto-mode-alist (cons re 'any-mode)))
(setq eglot-server-programs `((any-mode . (,(getenv "FOREWORD_BIN") "serve")))
      eglot-sync-connect 60 eglot-send-changes-idle-time 0.01 create-lockfiles nil make-backup-files nil
      auto-save-default nil vc-handled-backends nil enable-local-variables nil)

(defun server () (or (eglot-current-server) (error "No server")))
(defun request (method params) (jsonrpc-request (server) method params :timeout 60))
(defun command (name params)
  (eglot--signal-textDocument/didChange)
  (request :workspace/executeCommand (list :command name :arguments (vector params))))
(defun hover ()
  (let ((r (request :textDocument/hover (eglot--TextDocumentPositionParams))))
    (if r (substring-no-properties (eglot--hover-info (plist-get r :contents) (plist-get r :range))) "nothing")))

(let* ((home (file-truename (make-temp-file "foreword-eglot" t)))
       (dir (expand-file-name "repo/" home))
       (process-environment (append (list (concat "HOME=" home) (concat "XDG_CONFIG_HOME=" home "/c") (concat "XDG_STATE_HOME=" home "/s")
                                          (concat "XDG_CACHE_HOME=" home "/k") (concat "XDG_DATA_HOME=" home "/d"))
                                    process-environment))
       (agents (expand-file-name "AGENTS.md" dir))
       (source (expand-file-name "pay/x.go" dir)))
  (make-directory (expand-file-name "pay" dir) t)
  (with-temp-file agents (insert "Use the metric system.\n"))
  (with-temp-file (expand-file-name "pay/AGENTS.md" dir) (insert "Amounts are cents.\n"))
  (with-temp-file source (insert "package pay\n\nvar x = 1\n"))
  (let ((default-directory dir)) (call-process "git" nil nil nil "init" "-q"))
  (find-file source)
  (check "connect"
         (eglot '(any-mode) (cons 'transient dir) 'eglot-lsp-server (list (getenv "FOREWORD_BIN") "serve") "any")
         (wait-for "a server" #'eglot-current-server)
         (format "emacs %s" emacs-version))
  (check "hover on line 1 lists the instructions, outermost first"
         (goto-char (point-min))
         (must "AGENTS\\.md\\(?:.\\|\n\\)*pay/AGENTS\\.md" (hover)))
  (check "eldoc shows it, which is what a person sees"
         (goto-char (point-min))
         (let (seen)
           (eglot-hover-eldoc-function (lambda (s &rest _) (setq seen s)))
           (wait-for "eldoc" (lambda () seen))
           (must "pay/AGENTS\\.md" (substring-no-properties seen))))
  (check "hover elsewhere is empty"
         (goto-char (point-max))
         (must "\\`nothing\\'" (hover)))
  (check "code actions"
         (let* ((actions (append (eglot-code-actions (point-min) (point-min)) nil))
                (titles (mapcar (lambda (a) (plist-get a :title)) actions)))
           (dolist (title '("Preview the prompt for this file" "Explain instructions for this file"))
             (unless (member title titles) (error "No %s in %S" title titles)))
           titles))
  (check "a code action runs, in a client without window/showDocument"
         (let* ((a (cl-find "Explain instructions for this file" (append (eglot-code-actions (point-min) (point-min)) nil)
                            :key (lambda (a) (plist-get a :title)) :test #'equal))
                (c (if (stringp (plist-get a :command)) a (plist-get a :command)))
                (r (request :workspace/executeCommand (list :command (plist-get c :command) :arguments (plist-get c :arguments)))))
           (must "Amounts are cents\\|pay/AGENTS\\.md" (plist-get r :markdown))))
  (check "a command's answer"
         (must "metric system\\(?:.\\|\n\\)*Amounts are cents"
               (plist-get (command "foreword.instructions.explain" (list :uri (eglot--path-to-uri source))) :text)))
  (check "an unsaved edit behind an astral character is seen at once"
         (with-current-buffer (find-file-noselect agents)
           (wait-for "AGENTS.md to be managed" (lambda () eglot--managed-mode))
           (goto-char (point-min))
           (insert "𝒳 y ")
           (eglot--signal-textDocument/didChange)
           (search-backward "y")
           (delete-char 1)
           (insert "imperial")
           (eglot--signal-textDocument/didChange))
         (must "𝒳 imperial Use" (plist-get (command "foreword.instructions.explain" (list :uri (eglot--path-to-uri source))) :text)))
  (check "no diagnostics on a source file"
         (flymake-start)
         (accept-process-output nil 0.3)
         (if (flymake-diagnostics) (error "%S" (mapcar #'flymake-diagnostic-text (flymake-diagnostics))) "none"))
  (check "an unknown command is an error, and the server lives on"
         (condition-case e (progn (command "foreword.nothing" (list :a 1)) (error "No error"))
           (jsonrpc-error (must "foreword\\.nothing" (format "%S" e)))))
  (check "shutdown"
         (dolist (b (buffer-list)) (with-current-buffer b (set-buffer-modified-p nil)))
         (let ((s (server)))
           (eglot-shutdown s nil 60)
           (when (jsonrpc-running-p s) (error "Still running"))
           "clean"))
  (delete-directory home t))
(princ (format "%d passed, %d failed\n" passed failed))
(kill-emacs (if (= failed 0) 0 1))
