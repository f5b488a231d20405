--- What the user does with the code of an answer: yank, apply, open the files that it names.
local transcript = require("foreword.chat.transcript")

local M = {}

---@class foreword.CodeBlock
---@field info string behind the opening fence
---@field lines string[]
---@field before string the line before it

--- The fenced block round a line, or the next one in the same entry.
---@param lines string[]
---@param line integer
---@return foreword.CodeBlock?
function M.block(lines, line)
  local found, open = nil, nil
  for i, text in ipairs(lines) do
    local indent, mark, info = text:match("^( ? ? ?)(```+)%s*(.-)%s*$")
    if not mark then
      indent, mark, info = text:match("^( ? ? ?)(~~~+)%s*(.-)%s*$")
    end
    if open then
      if mark and info == "" and mark:sub(1, 1) == open.mark:sub(1, 1) and #mark >= #open.mark then
        local block = {
          info = open.info,
          lines = vim.list_slice(lines, open.line + 1, i - 1),
          before = lines[open.line - 1] or "",
        }
        if i >= line then
          return block
        end
        found, open = block, nil
      end
    elseif mark and not info:find("`") then
      open = { mark = mark, info = info, line = i, indent = indent }
    end
  end
  return found
end

---@param line integer of the transcript
---@return foreword.CodeBlock?
---@return string? problem
local function at(line)
  local bufnr = transcript.bufnr()
  local entry, first = transcript.entry_at(line)
  if not bufnr or not entry then
    return nil, "there is no answer here"
  end
  local last = transcript.last_line(entry.id)
  local lines = vim.api.nvim_buf_get_lines(bufnr, first - 1, last, false)
  local block = M.block(lines, line - first + 1)
  if not block then
    return nil, "there is no code block here"
  end
  return block
end

--- Yanks the block at a line of the transcript, into the register that was named or the unnamed one.
---@param line integer
---@return string? problem
function M.yank(line)
  local block, problem = at(line)
  if not block then
    return problem
  end
  local register = vim.v.register
  vim.fn.setreg(register, block.lines, "V")
  if register ~= '"' then
    vim.fn.setreg('"', block.lines, "V")
  end
  require("foreword.request").tell(("%d lines yanked"):format(#block.lines), vim.log.levels.INFO)
end

---@return string
local function root()
  local uri = require("foreword.chat.chat").conversation.root
  return uri and vim.uri_to_fname(uri) or vim.fn.getcwd()
end

--- The file that a block is for: named behind the fence or in the line before it, else that of the conversation.
---@param block foreword.CodeBlock
---@return string? path
function M.target(block)
  local candidates = {}
  for word in (block.info .. " " .. block.before):gmatch("[^%s`'\"(),;:*]+") do
    if word:match("[%./]") and not word:match("^%.+$") then
      table.insert(candidates, (word:gsub("%.$", "")))
    end
  end
  for _, word in ipairs(candidates) do
    local path = require("foreword.tools.confine").find(word, root())
    if path and (vim.uv.fs_stat(path) or {}).type == "file" then
      return path
    end
  end
  local uri = require("foreword.chat.chat").conversation.uri
  return uri and vim.uri_to_fname(uri)
end

--- A file with a block in it: in place of the lines from its first to its last where both stand in the file once,
--- else in place of the whole file where it begins as the file does, else at a line.
---@param file string[]
---@param block string[]
---@param line integer where it goes when nothing else says so
---@return string[]
function M.place(file, block, line)
  local function unique(text, from)
    local found
    for i = from, #file do
      if vim.trim(file[i]) == vim.trim(text) then
        if found then
          return nil
        end
        found = i
      end
    end
    return found
  end
  if #file == 0 or (#file == 1 and file[1] == "") then
    return block
  end
  local first = unique(block[1] or "", 1)
  local last = nil
  if first then
    for i = first, #file do
      if file[i] == block[#block] then
        last = i
        break
      end
    end
  end
  if first == 1 and #block * 2 >= #file then
    return block
  elseif first and last then
    return vim.list_extend(
      vim.list_extend(vim.list_slice(file, 1, first - 1), block),
      vim.list_slice(file, last + 1)
    )
  end
  return vim.list_extend(
    vim.list_extend(vim.list_slice(file, 1, line), block),
    vim.list_slice(file, line + 1)
  )
end

--- Shows the block at a line of the transcript as a change of its file.
---@param line integer
---@return string? problem
function M.apply(line)
  local block, problem = at(line)
  if not block then
    return problem
  end
  local path = M.target(block)
  if not path then
    return "there is no file that the block is for; open one first"
  end
  local bufnr = vim.fn.bufadd(path)
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].buflisted = true
  if not vim.bo[bufnr].modifiable or vim.bo[bufnr].readonly then
    return path .. " is read-only; :set noreadonly modifiable in its window allows it"
  end
  local file = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  local window = vim.fn.bufwinid(bufnr)
  local cursor = window ~= -1 and vim.api.nvim_win_get_cursor(window)[1] or #file
  local after = M.place(file, block.lines, cursor)
  if vim.deep_equal(file, after) then
    return "the file has these lines already"
  end
  require("foreword.chat.review").open(bufnr, after, function(taken, refused)
    require("foreword.request").tell(
      ("%d taken, %d refused; the file is not saved"):format(taken, refused),
      vim.log.levels.INFO
    )
  end)
end

--- Opens the file under the cursor, at its line, in a window that is not the panel's.
---@return string? problem
function M.open_file()
  local text = vim.fn.expand("<cfile>"):gsub("^file://", "")
  local whole = vim.fn.expand("<cWORD>")
  local line = tonumber(whole:match(":(%d+)"))
  local name = text:gsub("^@%a+:", ""):gsub(":%d.*$", "")
  local path
  for _, base in ipairs({ root(), vim.fn.getcwd() }) do
    local candidate = name:sub(1, 1) == "/" and name or base .. "/" .. name
    if name ~= "" and (vim.uv.fs_stat(candidate) or {}).type == "file" then
      path = candidate
      break
    end
  end
  if not path then
    return ("there is no file %s"):format(name)
  end
  local panel = require("foreword.chat.panel")
  local shown, typed = panel.windows()
  local place
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local plain = vim.api.nvim_win_get_config(window).relative == ""
    if window ~= shown and window ~= typed and plain then
      place = place or window
    end
  end
  if place then
    vim.api.nvim_set_current_win(place)
  else
    vim.cmd("topleft vertical new")
  end
  vim.cmd.edit(vim.fn.fnameescape(path))
  if line then
    vim.api.nvim_win_set_cursor(0, { math.min(line, vim.api.nvim_buf_line_count(0)), 0 })
  end
end

--- Copies the newest answer, or the prompt where no model was asked, into the clipboard and the unnamed register.
---@return string? problem
function M.copy_last()
  local chat = require("foreword.chat.chat")
  local conversations = require("foreword.chat.conversation")
  local entries = chat.conversation.entries
  for i = #entries, 1, -1 do
    if entries[i].kind == "answer" then
      local text = conversations.answer_text(entries[i])
      vim.fn.setreg('"', text)
      pcall(vim.fn.setreg, "+", text) -- there may be no clipboard
      require("foreword.request").tell(("%d bytes copied"):format(#text), vim.log.levels.INFO)
      return
    end
  end
  return "nothing was answered yet"
end

--- Opens the plan of this conversation.
---@return string? problem
function M.plan()
  local id = require("foreword.chat.chat").conversation.id
  local folder = root() .. "/.foreword/plans"
  local path = ("%s/%s.md"):format(folder, id)
  if not vim.uv.fs_stat(path) then
    local newest, when = nil, -1
    for name, kind in vim.fs.dir(folder) do
      local stat = kind == "file" and name:match("%.md$") and vim.uv.fs_stat(folder .. "/" .. name)
      if stat and stat.mtime.sec > when then
        newest, when = folder .. "/" .. name, stat.mtime.sec
      end
    end
    path = newest
  end
  if not path then
    return "there is no plan yet; :Foreword mode plan has the model write one"
  end
  vim.cmd("split " .. vim.fn.fnameescape(path))
end

return M
