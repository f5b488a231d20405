--- `:Foreword chat`: the words after it.
local M = {}

---@param text string
---@param level? integer
local function tell(text, level)
  require("foreword.request").tell(text, level or vim.log.levels.INFO)
end

---@param text? string
local function problem(text)
  if text then
    tell(text, vim.log.levels.WARN)
  end
end

local function panel()
  return require("foreword.chat.panel")
end

local function chat()
  return require("foreword.chat.chat")
end

--- The line of the transcript that the user is on.
---@return integer? window
---@return integer line
local function place()
  local window = panel().windows()
  if not window then
    return nil, 0
  end
  return window, vim.api.nvim_win_get_cursor(window)[1]
end

---@type table<string, fun(args: string[], opts: vim.api.keyset.create_user_command.command_args)>
local words = {}

function words.open(_, opts)
  local mods = opts.smods
  local given = mods
    and (mods.vertical or mods.horizontal or (mods.split or "") ~= "" or (mods.tab or -1) >= 0)
  panel().open(given and mods or nil)
end

function words.close()
  panel().close()
end

function words.toggle(args, opts)
  if panel().is_open() then
    panel().close()
  else
    words.open(args, opts)
  end
end

function words.send(args)
  if #args > 0 then
    if not panel().is_open() then
      panel().open()
    end
    panel().type(table.concat(args, " "))
  end
  panel().send()
end

function words.stop()
  if not chat().stop() then
    tell("nothing is being answered")
  end
end

function words.retry()
  problem(chat().retry())
end

words["continue"] = function()
  chat().go_on()
end

function words.edit()
  panel().edit()
end

function words.cancel()
  panel().cancel()
end

function words.next()
  local window, line = place()
  local to = window and require("foreword.chat.transcript").heading(line, 1)
  if to then
    vim.api.nvim_win_set_cursor(window, { to, 0 })
  end
end

function words.previous()
  local window, line = place()
  local to = window and require("foreword.chat.transcript").heading(line, -1)
  if to then
    vim.api.nvim_win_set_cursor(window, { to, 0 })
  end
end

function words.prompt()
  local _, typed = panel().windows()
  if typed then
    vim.api.nvim_set_current_win(typed)
  end
end

function words.transcript()
  local shown = panel().windows()
  if shown then
    vim.api.nvim_set_current_win(shown)
  end
end

function words.yank()
  local window, line = place()
  problem(
    window and require("foreword.chat.code").yank(line)
      or not window and "the chat is not open"
      or nil
  )
end

function words.apply()
  local window, line = place()
  problem(
    window and require("foreword.chat.code").apply(line)
      or not window and "the chat is not open"
      or nil
  )
end

function words.file()
  problem(require("foreword.chat.code").open_file())
end

function words.copy()
  problem(require("foreword.chat.code").copy_last())
end

function words.new()
  require("foreword.chat.saved").new()
end

function words.sessions()
  require("foreword.chat.saved").choose()
end

function words.restore()
  require("foreword.chat.saved").restore()
end

function words.fork()
  require("foreword.chat.saved").fork()
end

function words.rename(args)
  require("foreword.chat.saved").rename(#args > 0 and table.concat(args, " ") or nil)
end

function words.export(args)
  require("foreword.chat.saved").export(args[1])
end

function words.delete(_, opts)
  require("foreword.chat.saved").delete(opts.bang)
end

function words.add(_, opts)
  local lines = opts.range > 0 and { opts.line1, opts.line2 } or nil
  require("foreword.chat.attach").add(vim.api.nvim_get_current_buf(), lines)
end

function words.plan()
  problem(require("foreword.chat.code").plan())
end

function words.help()
  panel().help()
end

---@return string[]
function M.words()
  local names = vim.tbl_keys(words)
  table.sort(names)
  return names
end

---@param args string[]
---@param opts vim.api.keyset.create_user_command.command_args
function M.run(args, opts)
  args = vim.list_slice(args)
  local word = table.remove(args, 1)
  if not word then
    word = opts.range > 0 and "add" or "open"
  end
  if not words[word] then
    local near = require("foreword.config").nearest(word, M.words())
    return problem(
      ("there is no :Foreword chat %s%s"):format(
        word,
        near and ("; did you mean :Foreword chat " .. near .. "?") or ""
      )
    )
  end
  words[word](args, opts)
end

---@param _ string
---@param before string[]
---@return string[]
function M.complete(_, before)
  return #before == 0 and M.words() or {}
end

return M
