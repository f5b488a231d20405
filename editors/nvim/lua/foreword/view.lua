--- Read-only documents of foreword in buffers that follow what they show.
---
--- A document has a name (foreword-preview:///path.prompt.md), a function that fetches its lines, and at most one
--- request under way. It is fetched again after an edit of any buffer that the server has, and when the server says
--- that a prompt changed; one that no window shows waits until it is shown again.
local M = {}

---@class foreword.Document
---@field name string Name of the buffer.
---@field fetch fun(done: fun(problem: string?, lines: string[]?)): fun()? Returns what cancels it.
---@field target? string URI of the file that it is about.
---@field filetype? string markdown by default.
---@field live? boolean Follow edits.
---@field decorate? fun(bufnr: integer) Adds what is no text, after every change of it.

---@class foreword.View : foreword.Document
---@field cancel? fun() ends the request under way
---@field number integer counts the requests, so that a late answer is known as such
---@field stale boolean the text is older than an edit
---@field problem? string why the last request failed; told once

local views = {} ---@type table<integer, foreword.View> by buffer
local watching = false
local timer = nil ---@type uv.uv_timer_t?

local diff = vim.text and vim.text.diff or vim.diff

--- Replaces only the lines that differ, so that cursors, folds and marks elsewhere stay where they are.
---@param bufnr integer
---@param lines string[]
local function replace(bufnr, lines)
  local old = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  vim.bo[bufnr].modifiable = true
  if #old == 1 and old[1] == "" then
    vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  else
    local hunks = diff(table.concat(old, "\n") .. "\n", table.concat(lines, "\n") .. "\n", {
      result_type = "indices",
    })
    for i = #hunks, 1, -1 do
      local from, count, new_from, new_count = unpack(hunks[i])
      local first = count == 0 and from or from - 1
      vim.api.nvim_buf_set_lines(
        bufnr,
        first,
        first + count,
        false,
        vim.list_slice(lines, new_from, new_from + new_count - 1)
      )
    end
  end
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].modified = false
end

--- Fetches a document and puts it into its buffer.
---@param bufnr integer
---@param done? fun(problem: string?)
local function refresh(bufnr, done)
  local view = views[bufnr]
  if not view or not vim.api.nvim_buf_is_valid(bufnr) then
    return
  end
  if view.cancel then
    view.cancel()
  end
  view.number = view.number + 1
  view.stale = false
  local number = view.number
  view.cancel = view.fetch(function(problem, lines)
    if view.number ~= number or not vim.api.nvim_buf_is_valid(bufnr) then
      return
    end
    view.cancel = nil
    if lines then
      view.problem = nil
      replace(bufnr, lines)
      if view.decorate then
        view.decorate(bufnr)
      end
    elseif not done and problem ~= view.problem and not require("foreword.client").failure() then
      -- A document that stays open must not repeat itself with every key; that the server ended Neovim has told.
      view.problem = problem
      require("foreword.request").tell(problem or "no answer", vim.log.levels.WARN)
    end
    if done then
      done(problem)
    end
  end) or nil
end

---@param bufnr integer
---@return boolean
local function shown(bufnr)
  return #vim.fn.win_findbuf(bufnr) > 0
end

--- Fetches every document that a window shows; the others when they are shown again.
function M.refresh_all()
  for bufnr, view in pairs(views) do
    if view.live then
      if shown(bufnr) then
        refresh(bufnr)
      else
        view.stale = true
      end
    end
  end
end

--- Says that something changed that documents may show. They follow after a moment of rest.
function M.touch()
  if not next(views) then
    return
  end
  timer = timer or assert(vim.uv.new_timer())
  timer:start(require("foreword.config").get().debounce, 0, vim.schedule_wrap(M.refresh_all))
end

local function watch()
  if watching then
    return
  end
  watching = true
  local group = vim.api.nvim_create_augroup("foreword.view", { clear = true })
  vim.api.nvim_create_autocmd(
    { "TextChanged", "TextChangedI", "TextChangedP", "BufWritePost", "FileChangedShellPost" },
    {
      group = group,
      callback = function(event)
        if require("foreword.client").attached(event.buf) then
          M.touch()
        end
      end,
    }
  )
  vim.api.nvim_create_autocmd("FocusGained", { group = group, callback = M.touch }) -- back from another program
  vim.api.nvim_create_autocmd("BufWinEnter", {
    group = group,
    callback = function(event)
      if views[event.buf] and views[event.buf].stale then
        refresh(event.buf)
      end
    end,
  })
  vim.api.nvim_create_autocmd("BufWipeout", {
    group = group,
    callback = function(event)
      local view = views[event.buf]
      if view and view.cancel then
        view.cancel()
      end
      views[event.buf] = nil
    end,
  })
end

---@param bufnr integer
---@param document foreword.Document
local function prepare(bufnr, document)
  views[bufnr] = vim.tbl_extend("force", document, { number = 0, stale = false })
  watch()
  local options = vim.bo[bufnr]
  options.buftype = "nofile"
  options.bufhidden = "hide"
  options.swapfile = false
  options.buflisted = false
  options.undolevels = -1
  options.modifiable = false
  local filetype = document.filetype or "markdown"
  if options.filetype ~= filetype then
    options.filetype = filetype
  end
  local function map(lhs, rhs, desc)
    vim.keymap.set("n", lhs, rhs, { buffer = bufnr, desc = desc, nowait = true })
  end
  map("q", function()
    if not pcall(vim.cmd.close) then -- the last window
      vim.cmd.bdelete()
    end
  end, "Close this window")
  map("R", function()
    refresh(bufnr)
  end, "Ask the server again")
  map("gd", require("foreword.origin").follow, "Go to the file that this section came from")
  map("<CR>", require("foreword.origin").follow, "Go to the file that this section came from")
end

--- Sets what belongs to the window rather than to the buffer.
---@param window integer
local function dress(window)
  local options = vim.wo[window][0]
  options.wrap = true
  options.linebreak = true
  options.conceallevel = 0 -- what the model gets, to the letter
  options.spell = false
  options.foldmethod = "expr"
  options.foldexpr = "v:lua.require'foreword.fold'.foldexpr()"
  options.foldtext = "v:lua.require'foreword.fold'.foldtext()"
  options.foldlevel = require("foreword.config").get().window.folded and 0 or 99
  options.foldenable = true
end

--- Columns from which two windows side by side have room for prose.
local wide = 140

--- Shows a buffer in a window of its own, as the modifiers or the configuration say.
---@param bufnr integer
---@param mods? vim.api.keyset.cmd.mods
local function place(bufnr, mods)
  local window = vim.fn.win_findbuf(bufnr)
  for _, candidate in ipairs(window) do
    if vim.api.nvim_win_get_tabpage(candidate) == vim.api.nvim_get_current_tabpage() then
      return vim.api.nvim_set_current_win(candidate)
    end
  end
  local given = mods
    and (mods.vertical or mods.horizontal or (mods.split or "") ~= "" or (mods.tab or -1) >= 0)
  local command = { cmd = "sbuffer", args = { bufnr } }
  if given then
    command.mods = {
      vertical = mods.vertical,
      horizontal = mods.horizontal,
      split = mods.split,
      tab = (mods.tab or -1) >= 0 and mods.tab or nil,
    }
  else
    local split = require("foreword.config").get().window.split
    if split == "auto" then
      split = vim.o.columns >= wide and "right" or "below"
    end
    if split == "current" then
      return vim.api.nvim_set_current_buf(bufnr)
    end
    command.mods = ({
      right = { vertical = true, split = "belowright" },
      left = { vertical = true, split = "aboveleft" },
      below = { split = "belowright" },
      above = { split = "aboveleft" },
      tab = { tab = vim.fn.tabpagenr() },
    })[split]
  end
  local switch = vim.o.switchbuf
  vim.o.switchbuf = "" -- a window of its own, wherever else the buffer is shown
  local ok, err = pcall(vim.cmd, command)
  vim.o.switchbuf = switch
  if not ok then
    error(err, 0)
  end
end

---@param name string
---@return integer? bufnr
local function find(name)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(bufnr) == name then
      return bufnr
    end
  end
end

--- Opens a document: fetches it first, so that a failure leaves the windows as they are.
---@param document foreword.Document | { mods?: vim.api.keyset.cmd.mods, opened?: fun(bufnr: integer) }
function M.open(document)
  local mods, opened = document.mods, document.opened
  document.mods, document.opened = nil, nil
  local bufnr = find(document.name)
  if not bufnr then
    bufnr = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(bufnr, document.name)
  end
  if not views[bufnr] then
    prepare(bufnr, document)
  end
  refresh(bufnr, function(problem)
    if problem then
      if not shown(bufnr) then
        pcall(vim.api.nvim_buf_delete, bufnr, { force = true })
      end
      return require("foreword.request").tell(problem)
    end
    place(bufnr, mods)
    dress(vim.api.nvim_get_current_win())
    if opened then
      opened(bufnr)
    end
  end)
end

--- For BufReadCmd: fills a buffer that was opened by the name of a document, with :edit or window/showDocument.
---@param bufnr integer
---@param name string
function M.read(bufnr, name)
  local scheme, path = name:match("^foreword%-(%a+)://(.-)%.%w+%.md$")
  local document ---@type foreword.Document
  if scheme == "preview" then
    document = require("foreword.preview").document(vim.uri_from_fname(path))
  elseif scheme == "explain" then
    document = require("foreword.explain").document(vim.uri_from_fname(path))
  else -- a name with a query is the server's, which serves it itself
    document = {
      name = name,
      live = true,
      fetch = function(done)
        local params = { uri = name }
        return require("foreword.request").send(
          nil,
          "workspace/textDocumentContent",
          params,
          function(problem, result)
            done(problem, result and vim.split(result.text, "\n"))
          end
        )
      end,
    }
  end
  prepare(bufnr, document)
  refresh(bufnr)
  local window = vim.fn.bufwinid(bufnr)
  if window ~= -1 then
    dress(window)
  end
end

--- The file that a document is about.
---@param bufnr integer
---@return string? uri
function M.target(bufnr)
  return views[bufnr] and views[bufnr].target
end

return M
