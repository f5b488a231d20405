--- One conversation at a time: what the user does to it, and the turns that follow from that.
local conversations = require("foreword.chat.conversation")
local store = require("foreword.chat.store")
local tasks = require("foreword.chat.task")

local M = {}

---@class foreword.Queued
---@field text string
---@field attachments foreword.Attachment[]

---@class foreword.ChatListener
---@field entries fun(from: integer) entries from an index on are others now
---@field grown fun(entry: foreword.Entry, delta: foreword.Delta)
---@field state fun() model, queue, or what is waited for

---@type foreword.Conversation
M.conversation = conversations.new()
M.queue = {} ---@type foreword.Queued[]
M.notice = nil ---@type string? what is waited for
M.exhausted = false ---@type boolean the limit of requests for one message was reached

local running = nil ---@type foreword.Task?
local listener = nil ---@type foreword.ChatListener?

--- Tells who shows the chat of what becomes of it.
---@param to foreword.ChatListener
function M.listen(to)
  listener = to
end

---@return boolean
function M.busy()
  return running ~= nil
end

---@param from integer
local function changed(from)
  M.conversation.updated = conversations.now()
  store.save(M.conversation)
  if listener then
    listener.entries(from)
  end
end

local function state()
  if listener then
    listener.state()
  end
end

--- Stores what is typed and not sent, with the conversation.
---@param draft string
function M.draft(draft)
  local conversation = M.conversation
  if conversation.draft == draft then
    return
  end
  conversation.draft = draft
  if #conversation.entries > 0 or draft ~= "" then
    store.save(conversation)
  end
end

--- The model that the next message goes to.
---@return foreword.Model
function M.model()
  local choice = require("foreword.choice")
  local chosen = choice.get().model or require("foreword.config").get().chat.model or nil
  return require("foreword.models.endpoint").find(chosen or choice.model())
end

--- Turns until the model calls no more tools.
---@param task foreword.Task
---@param conversation foreword.Conversation
local function steps(task, conversation)
  local tools = require("foreword.tools.run")
  local most = require("foreword.config").get().chat.max_steps
  for step = 1, most do
    local choice = require("foreword.choice").get()
    conversation.agent, conversation.mode = choice.agent, choice.mode
    local entry = {
      kind = "answer",
      id = conversations.new_id(),
      time = conversations.now(),
      turn = 0,
      parts = {},
      model = "",
      state = "waiting",
    }
    local at = #conversation.entries + 1
    conversation.entries[at] = entry
    changed(at)
    local model = M.model()
    local offered = model.wire ~= "text" and tools.offered(task, conversation) or {}
    local function told()
      changed(at)
    end
    if task.stopped then
      entry.state = "stopped"
      return told()
    end
    require("foreword.chat.turn").run(task, conversation, entry, {
      uri = conversation.uri,
      model = model,
      tools = offered,
    }, {
      grown = function(delta)
        if entry.state == "waiting" then
          entry.state = "streaming"
          told()
        end
        if listener then
          listener.grown(entry, delta)
        end
      end,
      changed = told,
      waiting = function(text)
        M.notice = text
        state()
      end,
    })
    local calls = {}
    for _, part in ipairs(entry.state == "done" and entry.parts or {}) do
      if part.type == "tool-use" then
        table.insert(calls, {
          kind = "tool",
          id = conversations.new_id(),
          time = conversations.now(),
          call = part.id,
          name = part.name,
          arguments = part.arguments,
          state = "running",
          output = "",
        })
      end
    end
    if #calls == 0 then
      return
    end
    vim.list_extend(conversation.entries, calls)
    told()
    -- One after another: two reads at once must not both bring the same instructions.
    for _, call in ipairs(calls) do
      tools.run(task, conversation, call, told)
    end
    told()
    if task.stopped then
      return
    end
    M.exhausted = step == most
  end
end

local function run()
  M.exhausted = false
  local conversation = M.conversation
  local over = false
  local begun = tasks.start(function(task)
    steps(task, conversation)
    over = true
    if running == task or running == nil then
      running = nil
      M.notice = nil
      conversations.settle(conversation)
      changed(math.max(1, #conversation.entries))
      state()
      local next_message = not task.stopped and table.remove(M.queue, 1)
      if next_message then
        vim.schedule(function()
          M.send(next_message.text, next_message.attachments)
        end)
      end
    end
  end)
  if not over then
    running = begun
  end
  state()
end

---@param text string
---@param attachments foreword.Attachment[]
local function say(text, attachments)
  local conversation = M.conversation
  table.insert(conversation.entries, {
    kind = "user",
    id = conversations.new_id(),
    time = conversations.now(),
    text = text,
    attachments = attachments,
  })
  if not conversation.named and conversation.title == "" then
    conversation.title = conversations.title(text)
  end
  changed(#conversation.entries)
end

--- Sends a message, or puts it behind the answer that is being given.
---@param text string
---@param attachments? foreword.Attachment[]
function M.send(text, attachments)
  if running then
    table.insert(M.queue, { text = text, attachments = attachments or {} })
    return state()
  end
  say(text, attachments or {})
  run()
end

--- Ends the answer that is being given; what came of it stays.
---@return boolean stopped
function M.stop()
  local task = running
  if not task then
    return false
  end
  task:stop()
  running = nil
  state()
  return true
end

--- Asks once more for the last answer. What was answered stays in the file as another branch.
---@return string? problem
function M.retry()
  M.stop()
  local entries = M.conversation.entries
  for i = #entries, 1, -1 do
    if entries[i].kind == "user" then
      conversations.cut(M.conversation, i + 1)
      changed(i)
      return run()
    end
  end
  return "nothing was asked yet"
end

--- Goes on after the limit of requests.
function M.go_on()
  if not running and #M.conversation.entries > 0 then
    run()
  end
end

--- Says a message in other words; what came after it stays in the file as another branch.
---@param id string
---@param text string
---@param attachments foreword.Attachment[]
---@return string? problem
function M.edit(id, text, attachments)
  M.stop()
  local at = conversations.index(M.conversation, id)
  if not at or M.conversation.entries[at].kind ~= "user" then
    return "the message that was to be edited is not in this conversation any more"
  end
  conversations.cut(M.conversation, at)
  say(text, attachments)
  changed(at)
  run()
end

--- Goes over to another conversation; an answer that is being given ends.
---@param conversation foreword.Conversation
function M.open(conversation)
  M.stop()
  conversations.settle(conversation)
  M.conversation = conversation
  M.queue = {}
  M.exhausted = false
  if listener then
    listener.entries(0)
    listener.state()
  end
end

--- Stores what is under way, when Neovim ends.
function M.leave()
  local conversation = M.conversation
  for _, entry in ipairs(conversation.entries) do
    if entry.kind == "answer" then
      entry.parts = require("foreword.chat.turn").parts(entry)
    end
  end
  M.stop()
  conversations.settle(conversation)
  if #conversation.entries > 0 or conversation.draft ~= "" then
    store.save(conversation)
  end
end

return M
