--- The windows of the chat: the transcript, and below it the prompt.
local bar = require("foreword.chat.bar")
local chat = require("foreword.chat.chat")
local transcript = require("foreword.chat.transcript")

local M = {}

local prompt_name = "foreword-chat:///prompt"
local prompt = nil ---@type integer?
local editing = nil ---@type string? id of the message that is edited

--- The keys of both windows. Everything is a word of `:Foreword chat`, too.
---@type { mode: string|string[], key: string, word: string, where: "both"|"transcript"|"prompt", what: string }[]
M.keys = {
  { mode = "n", key = "<CR>", word = "send", where = "prompt", what = "send the message" },
  {
    mode = { "n", "i" },
    key = "<C-s>",
    word = "send",
    where = "prompt",
    what = "send the message",
  },
  { mode = "n", key = "<C-c>", word = "stop", where = "both", what = "stop the answer" },
  { mode = "n", key = "R", word = "retry", where = "transcript", what = "ask once more" },
  {
    mode = "n",
    key = "E",
    word = "edit",
    where = "transcript",
    what = "edit this message of yours",
  },
  { mode = "n", key = "gy", word = "yank", where = "transcript", what = "yank this code block" },
  { mode = "n", key = "gA", word = "apply", where = "transcript", what = "apply this code block" },
  {
    mode = "n",
    key = "gf",
    word = "file",
    where = "transcript",
    what = "open the file under the cursor",
  },
  { mode = "n", key = "]]", word = "next", where = "transcript", what = "next message" },
  { mode = "n", key = "[[", word = "previous", where = "transcript", what = "message before" },
  { mode = "n", key = "<Tab>", word = "prompt", where = "transcript", what = "to the prompt" },
  { mode = "n", key = "<Tab>", word = "transcript", where = "prompt", what = "to the transcript" },
  { mode = "n", key = "gS", word = "sessions", where = "both", what = "choose a conversation" },
  { mode = "n", key = "q", word = "close", where = "transcript", what = "close the panel" },
  { mode = "n", key = "?", word = "help", where = "both", what = "this list" },
}

---@param bufnr integer
---@param where "transcript"|"prompt"
local function map(bufnr, where)
  for _, key in ipairs(M.keys) do
    if key.where == where or key.where == "both" then
      vim.keymap.set(key.mode, key.key, ("<Cmd>Foreword chat %s<CR>"):format(key.word), {
        buffer = bufnr,
        desc = "foreword: " .. key.what,
        nowait = true,
      })
    end
  end
end

---@return string
function M.typed()
  if not prompt or not vim.api.nvim_buf_is_loaded(prompt) then
    return chat.conversation.draft
  end
  return table.concat(vim.api.nvim_buf_get_lines(prompt, 0, -1, false), "\n")
end

--- Puts a text into the prompt.
---@param text string
function M.type(text)
  local bufnr = M.prompt()
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split(text, "\n", { plain = true }))
  local window = vim.fn.bufwinid(bufnr)
  if window ~= -1 then
    local last = vim.api.nvim_buf_line_count(bufnr)
    local line = vim.api.nvim_buf_get_lines(bufnr, last - 1, last, false)[1]
    vim.api.nvim_win_set_cursor(window, { last, #line })
  end
  chat.draft(text)
end

--- The buffer of the prompt, made when there is none.
---@return integer bufnr
function M.prompt()
  if prompt and vim.api.nvim_buf_is_valid(prompt) then
    if not vim.api.nvim_buf_is_loaded(prompt) then
      vim.fn.bufload(prompt)
    end
    return prompt
  end
  local bufnr = vim.api.nvim_create_buf(false, true)
  prompt = bufnr
  vim.api.nvim_buf_set_name(bufnr, prompt_name)
  local options = vim.bo[bufnr]
  options.buftype, options.bufhidden, options.swapfile = "nofile", "hide", false
  options.filetype = "markdown"
  options.omnifunc = "v:lua.require'foreword.chat.complete'.omnifunc"
  map(bufnr, "prompt")
  vim.keymap.set("i", "@", function()
    local column = vim.api.nvim_win_get_cursor(0)[2]
    local before = vim.api.nvim_get_current_line():sub(1, column)
    local other = package.loaded["blink.cmp"] or package.loaded["cmp"] -- they complete by themselves
    if other or (before ~= "" and not before:match("%s$")) then
      return "@"
    end
    -- What is typed next narrows the list; where Neovim would put in the first item, that is taken back.
    local option = vim.o.completeopt
    local waits = option:find("noselect", 1, true) or option:find("noinsert", 1, true)
    return "@<C-x><C-o>" .. (waits and "" or "<C-p>")
  end, { buffer = bufnr, expr = true, desc = "foreword: name a file, the selection, …" })
  vim.api.nvim_create_autocmd({ "TextChanged", "InsertLeave", "BufLeave" }, {
    buffer = bufnr,
    group = vim.api.nvim_create_augroup("foreword.chat.prompt", { clear = true }),
    callback = function()
      chat.draft(M.typed())
    end,
  })
  vim.api.nvim_buf_set_lines(
    bufnr,
    0,
    -1,
    false,
    vim.split(chat.conversation.draft, "\n", { plain = true })
  )
  return bufnr
end

---@return integer? window of the transcript in this tab page
---@return integer? window of the prompt
function M.windows()
  local shown, below
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local bufnr = vim.api.nvim_win_get_buf(window)
    shown = bufnr == transcript.bufnr() and window or shown
    below = bufnr == prompt and window or below
  end
  return shown, below
end

---@param window integer
local function dress(window)
  local options = vim.wo[window][0]
  options.wrap, options.linebreak, options.breakindent = true, true, true
  options.number, options.relativenumber, options.signcolumn = false, false, "no"
  options.spell, options.list = false, false
  options.conceallevel = 0
end

---@param window integer
local function dress_transcript(window)
  dress(window)
  local options = vim.wo[window][0]
  options.winbar = "%{%v:lua.require'foreword.chat.bar'.winbar()%}"
  options.foldmethod = "expr"
  options.foldexpr = "v:lua.require'foreword.chat.transcript'.foldexpr()"
  options.foldtext = "v:lua.require'foreword.fold'.foldtext()"
  options.foldlevel = 0
  options.foldenable = true
end

local wide = 140 -- columns from which two windows side by side have room for prose

---@param bufnr integer
---@param below integer
local function float(bufnr, below)
  local config = require("foreword.config").get().chat
  local width = math.max(20, math.min(vim.o.columns - 4, math.max(config.width, 60)))
  local room = math.max(6, vim.o.lines - vim.o.cmdheight - 4)
  local height = math.max(2, room - config.height - 2)
  local base = {
    relative = "editor",
    width = width,
    col = math.floor((vim.o.columns - width) / 2),
    style = "minimal",
    border = "rounded",
  }
  local top = vim.tbl_extend("force", base, { row = 0, height = height, title = " foreword " })
  local low = vim.tbl_extend("force", base, {
    row = height + 2,
    height = math.min(config.height, room - height),
    title = " message (? for help) ",
  })
  local shown, typed = M.windows()
  if shown and typed then -- the screen has another size
    top.title, low.title = nil, nil
    vim.api.nvim_win_set_config(shown, top)
    vim.api.nvim_win_set_config(typed, low)
    return
  end
  local window = vim.api.nvim_open_win(bufnr, true, top)
  dress_transcript(window)
  transcript.to_end()
  window = vim.api.nvim_open_win(below, true, low)
  dress(window)
end

--- Gives the panel its columns, and the other windows at least half of the screen.
---@param window integer
local function fit(window)
  local width = require("foreword.config").get().chat.width
  vim.api.nvim_win_set_width(window, math.max(20, math.min(width, math.floor(vim.o.columns / 2))))
end

---@param bufnr integer
---@param mods? vim.api.keyset.cmd.mods
local function split(bufnr, mods)
  local config = require("foreword.config").get().chat
  local given = mods
    and (mods.vertical or mods.horizontal or (mods.split or "") ~= "" or (mods.tab or -1) >= 0)
  if given then
    vim.cmd({
      cmd = "sbuffer",
      args = { bufnr },
      mods = {
        vertical = mods.vertical,
        horizontal = mods.horizontal,
        split = mods.split,
        tab = (mods.tab or -1) >= 0 and mods.tab or nil,
      },
    })
    return
  end
  local where = config.window
  if where == "auto" then
    where = vim.o.columns >= wide and "right" or "below"
  end
  if where == "current" then
    return vim.api.nvim_set_current_buf(bufnr)
  elseif where == "tab" then
    vim.cmd.tabnew()
    local empty = vim.api.nvim_get_current_buf()
    vim.api.nvim_set_current_buf(bufnr)
    pcall(vim.api.nvim_buf_delete, empty, {})
    return
  end
  vim.cmd(({
    right = "botright vertical split",
    left = "topleft vertical split",
    below = "botright split",
    above = "topleft split",
  })[where])
  vim.api.nvim_set_current_buf(bufnr)
  if where == "right" or where == "left" then
    fit(0)
  end
end

local listening = false

local function listen()
  if listening then
    return
  end
  listening = true
  bar.highlight()
  local _, wrong = require("foreword.models.endpoint").endpoints()
  if #wrong > 0 then
    require("foreword.request").tell(
      "endpoints that are left out: " .. table.concat(wrong, "; "),
      vim.log.levels.WARN
    )
  end
  local function state()
    transcript.status()
    vim.cmd.redrawstatus({ bang = true })
  end
  chat.listen({
    entries = transcript.entries,
    grown = transcript.grown,
    state = state,
  })
  require("foreword.choice").on_change(state)
  local group = vim.api.nvim_create_augroup("foreword.chat", { clear = true })
  vim.api.nvim_create_autocmd("VimLeavePre", {
    group = group,
    callback = function()
      chat.conversation.draft = M.typed()
      chat.leave()
    end,
  })
  vim.api.nvim_create_autocmd("InsertLeave", { group = group, callback = transcript.refold })
  vim.api.nvim_create_autocmd("ColorScheme", { group = group, callback = bar.highlight })
  vim.api.nvim_create_autocmd("VimResized", {
    group = group,
    callback = function()
      local window = M.windows()
      if not window then
        return
      elseif vim.api.nvim_win_get_config(window).relative ~= "" then
        float(transcript.open(), M.prompt())
      elseif vim.api.nvim_win_get_width(window) < vim.o.columns then
        -- Neovim takes all the columns from the last window.
        fit(window)
      end
    end,
  })
end

--- Which file the conversation is about: the one in the current window, else the one that was looked at last.
local function aim()
  local client = require("foreword.client")
  local bufnr = vim.api.nvim_get_current_buf()
  if not client.is_file(bufnr) then
    local last = require("foreword.focus").last()
    if not last then
      return
    end
    bufnr = last
  end
  chat.conversation.uri = vim.uri_from_bufnr(bufnr)
  local root = client.root(vim.api.nvim_buf_get_name(bufnr))
  chat.conversation.root = root and vim.uri_from_fname(root)
end

--- Opens the panel, or goes to it.
---@param mods? vim.api.keyset.cmd.mods
function M.open(mods)
  listen()
  aim()
  local bufnr, below = transcript.open(), M.prompt()
  map(bufnr, "transcript")
  local shown, typed = M.windows()
  if not shown or not typed then
    if shown then
      vim.api.nvim_set_current_win(shown)
    elseif require("foreword.config").get().chat.window == "float" and not mods then
      return float(bufnr, below)
    else
      split(bufnr, mods)
    end
    dress_transcript(0)
    vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(bufnr), 0 })
    if not typed then
      local height = require("foreword.config").get().chat.height
      vim.cmd(("belowright %dsplit"):format(math.max(1, math.min(height, vim.o.lines - 6))))
      vim.api.nvim_set_current_buf(below)
      vim.wo.winfixheight = true
      vim.wo[0][0].winbar = "message (? for help)"
      dress(0)
    end
    typed = select(2, M.windows())
  end
  if typed then
    vim.api.nvim_set_current_win(typed)
  end
end

--- Closes the windows; what was said and typed stays.
function M.close()
  chat.draft(M.typed())
  local shown, typed = M.windows()
  for _, window in pairs({ typed, shown }) do
    if vim.api.nvim_win_is_valid(window) and not pcall(vim.api.nvim_win_close, window, true) then
      vim.cmd.enew() -- the last window
    end
  end
end

---@return boolean
function M.is_open()
  local shown, typed = M.windows()
  return shown ~= nil or typed ~= nil
end

--- Sends what is typed; with nothing typed and something queued after a stop, that.
function M.send()
  local text = vim.trim(M.typed())
  vim.cmd.stopinsert() -- to read, scroll and stop; and Neovim folds other windows only then
  if text == "" then
    local queued = not chat.busy() and table.remove(chat.queue, 1)
    if queued then
      chat.send(queued.text, queued.attachments)
    end
    return
  end
  listen()
  aim()
  local id = editing
  require("foreword.chat.attach").resolve(text, chat.conversation.uri, function(attachments)
    editing = nil
    M.type("")
    if id then
      local problem = chat.edit(id, text, attachments)
      if problem then
        require("foreword.request").tell(problem, vim.log.levels.WARN)
        M.type(text)
      end
    else
      chat.send(text, attachments)
    end
  end)
end

--- Takes the message under the cursor into the prompt; sending it sends it in place of what it was.
function M.edit()
  local window = M.windows()
  local line = window and vim.api.nvim_win_get_cursor(window)[1]
  local entry = line and transcript.entry_at(line)
  local entries = chat.conversation.entries
  local at = entry and require("foreword.chat.conversation").index(chat.conversation, entry.id)
  while at and at > 0 and entries[at].kind ~= "user" do
    at = at - 1
  end
  if not at or at == 0 then
    return require("foreword.request").tell(
      "put the cursor on the message that is to be edited",
      vim.log.levels.INFO
    )
  end
  editing = entries[at].id
  M.type(entries[at].text)
  local _, typed = M.windows()
  if typed then
    vim.api.nvim_set_current_win(typed)
  end
  require("foreword.request").tell(
    "sending it sends the message anew, and what came after it goes; :Foreword chat cancel lets it be",
    vim.log.levels.INFO
  )
end

--- Lets the edited message be as it was.
function M.cancel()
  if editing then
    editing = nil
    M.type("")
  end
end

--- Shows the keys.
function M.help()
  local lines = {}
  for _, key in ipairs(M.keys) do
    local modes = type(key.mode) == "table" and table.concat(key.mode --[[@as string[] ]], ",")
      or key.mode
    table.insert(
      lines,
      ("%-6s %-3s %-11s %-32s :Foreword chat %s"):format(
        key.key,
        modes,
        key.where == "both" and "" or key.where,
        key.what,
        key.word
      )
    )
  end
  table.insert(lines, "")
  table.insert(lines, "@ in the prompt completes files, buffers, the selection, diagnostics, …")
  table.insert(lines, "za opens and closes a tool call. :help foreword-chat says all of it.")
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable, vim.bo[bufnr].bufhidden = false, "wipe"
  local width = math.max(1, math.min(86, vim.o.columns - 4))
  local height = math.max(1, math.min(#lines, vim.o.lines - 5))
  local window = vim.api.nvim_open_win(bufnr, true, {
    relative = "editor",
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
    col = math.max(0, math.floor((vim.o.columns - width) / 2)),
    width = width,
    height = height,
    style = "minimal",
    border = "rounded",
    title = " keys (q closes) ",
    zindex = 60,
  })
  vim.wo[window][0].wrap = false
  for _, key in ipairs({ "q", "<Esc>", "?" }) do
    vim.keymap.set("n", key, "<Cmd>close<CR>", { buffer = bufnr, nowait = true })
  end
end

return M
