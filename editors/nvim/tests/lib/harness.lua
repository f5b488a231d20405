--- What the tests share: a home and a repository of their own, checks that count, and waiting.
---
--- A test file is run by `nvim --clean --headless -l FILE` with FOREWORD_BIN, and closes on `N passed, N failed`.
local M = {}

M.binary = assert(vim.env.FOREWORD_BIN, "FOREWORD_BIN must name the program")
M.newest = vim.fn.has("nvim-0.11") == 1

--- editors/nvim
local source = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")
M.plugin = vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(source)))

-- The user's own files must not decide what a test sees.
local home = vim.uv.fs_realpath(assert(vim.uv.fs_mkdtemp(vim.fn.tempname() .. "-XXXXXX")))
for name, place in pairs({
  HOME = "home",
  XDG_CONFIG_HOME = "home/.config",
  XDG_DATA_HOME = "home/.local/share",
  XDG_STATE_HOME = "home/.local/state",
  XDG_CACHE_HOME = "home/.cache",
}) do
  vim.env[name] = home .. "/" .. place
  vim.fn.mkdir(home .. "/" .. place, "p")
end
M.home = home .. "/home"
M.top = home

-- The columns and lines stay as they are: setting them without a screen corrupts the memory of Neovim 0.12.4.
vim.o.swapfile = false
vim.o.shortmess = vim.o.shortmess .. "I"

--- Everything that vim.notify was told, as "LEVEL text".
M.told = {} ---@type string[]
local levels = { [0] = "TRACE", "DEBUG", "INFO", "WARN", "ERROR" }
vim.notify = function(text, level)
  table.insert(M.told, (levels[level or 2] or "?") .. " " .. tostring(text))
end

--- The messages that hold a text.
---@param text string
---@return string[]
function M.told_of(text)
  return vim.tbl_filter(function(line)
    return line:find(text, 1, true) ~= nil
  end, M.told)
end

local passed, failed = 0, 0

---@param name string
---@param check fun(): any what it returns is shown beside the name
function M.test(name, check)
  local ok, note = xpcall(check, debug.traceback)
  if ok then
    passed = passed + 1
    local shown = note ~= nil and ("  # " .. tostring(note):gsub("%s+", " "):sub(1, 160)) or ""
    io.stdout:write(("ok - %s%s\n"):format(name, shown))
  else
    failed = failed + 1
    io.stdout:write(("not ok - %s\n    %s\n"):format(name, (tostring(note):gsub("\n", "\n    "))))
  end
  io.stdout:flush()
end

--- Fails when Neovim itself showed an error of a callback or handler; vim.notify is not where those go.
function M.quiet()
  local said = vim.fn.execute("messages")
  for _, mark in ipairs({ "Error ", "stack traceback", "callback: ", "deprecated" }) do
    if said:find(mark, 1, true) then
      error(said, 2)
    end
  end
end

--- Prints the sum, ends every server and leaves.
function M.done()
  for _, client in ipairs(vim.lsp.get_clients()) do
    if M.newest then
      client:stop(true)
    else
      client.stop(true)
    end
  end
  vim.fn.delete(home, "rf")
  -- Neovim leaves messages on standard error without a line end: the sum begins a line of its own.
  io.stdout:write(("\n%d passed, %d failed\n"):format(passed, failed))
  os.exit(failed == 0 and passed > 0 and 0 or 1)
end

--- What can be seen now, what was told, and the end of the log, for the reader of a failed run.
---@return string
function M.evidence()
  local lines = { "messages: " .. table.concat(M.told, "\n") }
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local bufnr = vim.api.nvim_win_get_buf(window)
    local current = window == vim.api.nvim_get_current_win() and " (current)" or ""
    local changed = vim.bo[bufnr].modified and " (unsaved)" or ""
    table.insert(lines, "--- " .. vim.api.nvim_buf_get_name(bufnr) .. current .. changed)
    vim.list_extend(lines, vim.api.nvim_buf_get_lines(bufnr, 0, 60, false))
  end
  for _, client in ipairs(vim.lsp.get_clients()) do
    local state = client.initialized and "initialized" or "starting"
    table.insert(lines, ("--- client %d %s: %s"):format(client.id, client.name, state))
  end
  local log = vim.lsp.log and vim.lsp.log.get_filename() or vim.lsp.get_log_path()
  if vim.fn.filereadable(log) == 1 then
    table.insert(lines, "--- the end of " .. log)
    vim.list_extend(lines, vim.fn.readfile(log, "", -30))
  end
  return table.concat(lines, "\n")
end

--- Waits for a condition and gives its value. The patience is for a slow machine; nothing is measured.
---@param what string
---@param condition fun(): any
---@return any
function M.wait(what, condition)
  local value
  local ok = vim.wait(60000, function()
    value = condition()
    return value and true or false
  end, 20)
  if not ok then
    error(("timed out: %s\n%s"):format(what, M.evidence()), 2)
  end
  return value
end

---@param got any
---@param want any
---@param what? string
function M.same(got, want, what)
  if not vim.deep_equal(got, want) then
    error(
      ("%sgot %s, want %s"):format(what and what .. ": " or "", vim.inspect(got), vim.inspect(want)),
      2
    )
  end
end

---@param text string
---@param part string plain text
---@return string text
function M.contains(text, part)
  if not text:find(part, 1, true) then
    error(("%q is not in:\n%s"):format(part, text), 2)
  end
  return text
end

---@param text string
---@param part string
function M.lacks(text, part)
  if text:find(part, 1, true) then
    error(("%q is in:\n%s"):format(part, text), 2)
  end
end

---@param path string
---@param text string
function M.write(path, text)
  vim.fn.mkdir(vim.fs.dirname(path), "p")
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

---@param path string
---@return string
function M.read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

--- Runs git in a directory, away from the user's configuration.
---@param dir string
---@param ... string
function M.git(dir, ...)
  local result = vim
    .system(
      { "git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-C", dir, ... },
      { text = true }
    )
    :wait()
  assert(result.code == 0, result.stderr)
end

--- A repository with instructions at its root, in a folder with a space and another alphabet, and a symbolic link.
---@param name string
---@return string root
function M.repository(name)
  local root = M.top .. "/work/" .. name
  M.write(root .. "/AGENTS.md", "# House rules\n\nUse British spelling in comments.\n")
  M.write(root .. "/main.go", 'package main\n\nfunc main() {\n\tprintln("hello")\n}\n')
  M.write(root .. "/ünï code/AGENTS.md", "# Nested rules\n\nPrefer tables over chains of if.\n")
  M.write(root .. "/ünï code/naïve 文.lua", "return 1\n")
  M.write(root .. "/other/AGENTS.md", "A sibling's rule that must not be told elsewhere.\n")
  M.write(root .. "/old (1)/AGENTS.md", "Old rules.\n\nChange nothing here.\n")
  M.write(root .. "/old (1)/x.c", "int x;\n")
  M.write(root .. "/NOTES", "A file without a type.\n")
  assert(vim.uv.fs_symlink("AGENTS.md", root .. "/CLAUDE.md"))
  M.git(root, "init", "-q", "-b", "main")
  M.git(root, "add", ".")
  M.git(root, "commit", "-q", "-m", "first")
  return root
end

--- Puts the plugin on 'runtimepath' and loads it, as a plugin manager does.
function M.load()
  vim.opt.runtimepath:prepend(M.plugin)
  vim.cmd("filetype plugin on")
  vim.cmd.runtime("plugin/foreword.lua")
end

---@param path string
---@return integer bufnr
function M.edit(path)
  vim.cmd.edit(vim.fn.fnameescape(path))
  return vim.api.nvim_get_current_buf()
end

--- Waits until a buffer has an initialized foreword client.
---@param bufnr integer
---@return vim.lsp.Client
function M.attached(bufnr)
  return M.wait("attached to " .. vim.api.nvim_buf_get_name(bufnr), function()
    local client = vim.lsp.get_clients({ bufnr = bufnr, name = "foreword" })[1]
    return client and client.initialized and client
  end)
end

---@param bufnr? integer
---@return string
function M.text(bufnr)
  return table.concat(vim.api.nvim_buf_get_lines(bufnr or 0, 0, -1, false), "\n")
end

--- The buffer of which the name begins so, once it has text.
---@param prefix string
---@return integer bufnr
function M.document(prefix)
  return M.wait("a buffer " .. prefix, function()
    for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
      if vim.startswith(vim.api.nvim_buf_get_name(bufnr), prefix) and #M.text(bufnr) > 0 then
        return bufnr
      end
    end
  end)
end

--- The text of every floating window.
---@return string
function M.floats()
  local texts = {}
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      table.insert(texts, M.text(vim.api.nvim_win_get_buf(window)))
    end
  end
  return table.concat(texts, "\n")
end

--- Sends keys as a user types them.
---@param keys string
function M.keys(keys)
  vim.api.nvim_feedkeys(vim.keycode(keys), "tx", false)
end

return M
