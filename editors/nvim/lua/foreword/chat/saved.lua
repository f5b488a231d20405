--- Conversations that are kept: choose, restore, fork, rename, export, delete.
local chat = require("foreword.chat.chat")
local conversations = require("foreword.chat.conversation")
local store = require("foreword.chat.store")

local M = {}

---@param text string
---@param level? integer
local function tell(text, level)
  require("foreword.request").tell(text, level or vim.log.levels.INFO)
end

--- Goes over to a conversation: what is typed stays with the one before.
---@param conversation foreword.Conversation
local function open(conversation)
  local panel = require("foreword.chat.panel")
  chat.draft(panel.typed())
  chat.open(conversation)
  panel.cancel()
  panel.type(conversation.draft)
  panel.open()
end

--- Begins a new one.
function M.new()
  open(conversations.new())
end

--- The conversations of this project before the others.
---@return foreword.Stored[]
local function list()
  local stored = store.list()
  local client = require("foreword.client")
  local here = chat.conversation.root
    or vim.uri_from_fname(client.root(vim.fs.normalize(vim.fn.getcwd()) .. "/x") or vim.fn.getcwd())
  local near, far = {}, {}
  for _, one in ipairs(stored) do
    table.insert(one.conversation and one.conversation.root == here and near or far, one)
  end
  return vim.list_extend(near, far)
end

---@param one foreword.Stored
---@return string
local function label(one)
  local conversation = one.conversation
  if not conversation then
    return ("%s: %s"):format(vim.fs.basename(one.path), one.problem)
  end
  local where = conversation.root and vim.fn.fnamemodify(vim.uri_to_fname(conversation.root), ":~")
    or ""
  local title = conversation.title ~= "" and conversation.title or "(nothing was sent)"
  return ("%s  %s  %s"):format(conversation.updated:sub(1, 16):gsub("T", " "), title, where)
end

--- Lets the user choose one.
function M.choose()
  local stored = list()
  if #stored == 0 then
    return tell("no conversation is kept yet")
  end
  vim.ui.select(stored, {
    prompt = "Conversation:",
    format_item = label,
    kind = "foreword-session",
  }, function(one)
    if not one then
      return
    elseif not one.conversation then
      return tell(
        ("%s: %s; it stays where it is"):format(one.path, one.problem),
        vim.log.levels.WARN
      )
    end
    open(one.conversation)
  end)
end

--- Opens the newest of this project.
function M.restore()
  for _, one in ipairs(list()) do
    if one.conversation then
      return open(one.conversation)
    end
  end
  tell("no conversation is kept yet")
end

--- Goes on with a copy; the one that it came from stays as it is.
function M.fork()
  local from = chat.conversation
  local last = conversations.last_sent(from.entries)
  if last == 0 then
    return tell("nothing was said yet that a fork could go on from")
  end
  chat.stop()
  local copy = vim.deepcopy(from)
  copy.id = conversations.new().id
  copy.title = from.title .. " (fork)"
  copy.named, copy.branches = true, {}
  copy.created, copy.updated = conversations.now(), conversations.now()
  require("foreword.chat.server").send(from.uri, "foreword.session.fork", {
    session = from.id,
    turn = from.entries[last].turn,
    as = copy.id,
  }, function(problem)
    if problem and problem.code ~= "unknown_session" and problem.code ~= "unknown_turn" then
      return tell("the conversation was not forked: " .. problem.message, vim.log.levels.ERROR)
    end
    store.save(copy)
    open(copy)
  end)
end

---@param title? string
function M.rename(title)
  local function set(text)
    if text and vim.trim(text) ~= "" then
      chat.conversation.title, chat.conversation.named = vim.trim(text), true
      store.save(chat.conversation)
      require("foreword.chat.transcript").status()
    end
  end
  if title then
    return set(title)
  end
  vim.ui.input({ prompt = "Title: ", default = chat.conversation.title }, set)
end

--- The conversation as Markdown.
---@return string[]
function M.markdown()
  local render = require("foreword.chat.render")
  local conversation = chat.conversation
  local lines =
    render.head(conversation, ("%s, %s"):format(conversation.id, conversation.updated)).lines
  for _, entry in ipairs(conversation.entries) do
    vim.list_extend(lines, render.entry(entry).lines)
  end
  return lines
end

--- Writes it into a file, or into a buffer of its own.
---@param path? string
function M.export(path)
  if not path then
    vim.cmd.tabnew()
    vim.api.nvim_buf_set_lines(0, 0, -1, false, M.markdown())
    vim.bo.filetype = "markdown"
    return
  end
  path = vim.fn.fnamemodify(vim.fn.expand(path), ":p")
  if vim.uv.fs_stat(path) then
    return tell(path .. " exists; name another file", vim.log.levels.WARN)
  end
  local ok, problem = pcall(vim.fn.writefile, M.markdown(), path)
  if not ok or problem ~= 0 then
    return tell(("%s could not be written: %s"):format(path, problem), vim.log.levels.ERROR)
  end
  tell("written to " .. path)
end

--- Deletes the conversation, here and in foreword's store.
---@param without_asking boolean
function M.delete(without_asking)
  local conversation = chat.conversation
  local question = ("Delete %q? This cannot be undone."):format(conversation.title)
  if not without_asking and vim.fn.confirm(question, "&Delete\n&Cancel", 2, "Question") ~= 1 then
    return
  end
  chat.stop()
  store.delete(conversation.id)
  local panel = require("foreword.chat.panel")
  panel.type("")
  chat.open(conversations.new())
  require("foreword.chat.server").send(
    conversation.uri,
    "foreword.session.forget",
    { session = conversation.id },
    function(problem)
      if problem and problem.code ~= "unknown_session" then
        tell("foreword keeps what it knows of it: " .. problem.message, vim.log.levels.WARN)
      end
    end
  )
end

return M
