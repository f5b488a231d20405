--- CodeCompanion's chat with foreword's prompt, proximity blocks and history. It is an extension of CodeCompanion:
--- lua/codecompanion/_extensions/foreword hands over to this file.
---
--- Hooks that are used, by CodeCompanion 19 (olimorris/codecompanion.nvim, lua/codecompanion/interactions/chat/
--- init.lua and doc/extending/extensions.md, 2026-08): User CodeCompanionChatCreated, chat:add_callback() with
--- on_before_submit, on_checkpoint, on_completed and on_closed, chat:set_system_prompt().
local M = {}

local limited = require("foreword.adapters.limited")
local prompt = require("foreword.adapters.prompt")

---@class foreword.CodeCompanionOpts
---@field system? boolean Set the system prompt. Default: true.
---@field proximity? boolean Tell the instruction files beside a file that was read. Default: true.
---@field trim? boolean Fit the history into the model's window. Default: true.
---@field usage? boolean Report what the provider counted. Default: true.
---@field window? integer The context window in tokens, where the model table does not know it.

---@class foreword.CodeCompanionState
---@field session string
---@field hash? string of the system text that was set
---@field cut? table where the history was cut
---@field seen table<string, boolean> messages whose files were told
---@field turn? integer
---@field model? string

local options = {} ---@type foreword.CodeCompanionOpts
local states = setmetatable({}, { __mode = "k" }) ---@type table<table, foreword.CodeCompanionState>
local began = os.time()

--- Names of the arguments by which tools name a file.
local path_arguments = { "filepath", "file_path", "path", "filename", "file" }

local system_tag, changing_tag = "foreword_system", "foreword_now"

---@param chat table
---@return foreword.CodeCompanionState
local function state_of(chat)
  local state = states[chat]
  if not state then
    state = {
      session = ("codecompanion-%d-%s"):format(began, tostring(chat.id or chat.bufnr)),
      seen = {},
    }
    states[chat] = state
  end
  return state
end

---@param chat table
---@return string? model
---@return string? provider
local function model_of(chat)
  local adapter = chat.adapter or {}
  local settings = chat.settings or {}
  local model = settings.model
  if not model and adapter.schema and adapter.schema.model then
    model = adapter.schema.model.default
  end
  if type(model) == "function" then
    local ok, name = pcall(model, adapter)
    model = ok and name or nil
  end
  return type(model) == "string" and model or nil, adapter.name
end

---@param chat table
---@return string?
local function uri_of(chat)
  return prompt.uri(chat.buffer_context and chat.buffer_context.bufnr)
end

--- An agent of the protocol ACP takes neither a system prompt nor a history from us.
---@param chat table
---@return boolean
local function is_http(chat)
  return not chat.adapter or chat.adapter.type ~= "acp"
end

--- Sets the system prompt where it changed, and only then, so that the provider's cache holds.
---@param chat table
function M.set_system(chat)
  local state = state_of(chat)
  local model, provider = model_of(chat)
  local text = prompt.system(
    state.session,
    uri_of(chat),
    { model = model, provider = provider, toolFormat = "tool" }
  )
  if not text or text.hash == state.hash then
    return
  end
  state.hash = text.hash
  chat:set_system_prompt(text.stable, { visible = false, _meta = { tag = system_tag } })
  -- What changes with every turn is told as it was when the stable part was said: a later change would cost the cache.
  chat:set_system_prompt(text.changing, { visible = false, _meta = { tag = changing_tag } })
end

---@param message table of CodeCompanion
---@return string? id
local function call_id(message)
  return message.tools and message.tools.call_id or message.tool_call_id
end

local named = 0 -- messages that were given a name

--- The name of a message, which it keeps: the server finds by it what it said with the message.
---@param message table
---@return string
local function name_of(message)
  local meta = message._meta or {}
  message._meta = meta
  if not meta.foreword then
    named = named + 1
    meta.foreword = "m" .. named
  end
  return meta.foreword
end

---@param message table
---@return table[] calls
local function calls_of(message)
  return message.tools and message.tools.calls or message.tool_calls or {}
end

---@param call table
---@return table? arguments
local function arguments_of(call)
  local arguments = call["function"] and call["function"].arguments or call.arguments
  if type(arguments) == "string" then
    local ok, decoded = pcall(vim.json.decode, arguments)
    arguments = ok and decoded or nil
  end
  return type(arguments) == "table" and arguments or nil
end

---@param path string
---@return string? uri of a file that is there
local function file_uri(path)
  local full = vim.fs.normalize(vim.fn.fnamemodify(path, ":p"))
  local stat = vim.uv.fs_stat(full)
  return stat and stat.type == "file" and vim.uri_from_fname(full) or nil
end

--- The files that a message read or attached: by a tool's arguments, or as context.
---@param message table
---@param calls table<string, table> by id
---@return string[] uris
---@return "read"|"attach" kind
local function files_of(message, calls)
  local found = {}
  local call = calls[call_id(message) or ""]
  if call then
    local arguments = arguments_of(call) or {}
    for _, name in ipairs(path_arguments) do
      if type(arguments[name]) == "string" then
        table.insert(found, file_uri(arguments[name]))
      end
    end
    return found, "read"
  end
  local context = message.context
  if context and type(context.path) == "string" then
    table.insert(found, file_uri(context.path))
  end
  return found, "attach"
end

--- Puts the instruction files beside a file that was read at the end of the message that brought it.
---@param chat table
---@param messages table[]
function M.tell_nearby(chat, messages)
  local state = state_of(chat)
  local calls = {}
  for _, message in ipairs(messages) do
    for _, call in ipairs(calls_of(message)) do
      if call.id then
        calls[call.id] = call
      end
    end
    local id = name_of(message)
    if not state.seen[id] and type(message.content) == "string" then
      local uris, kind = files_of(message, calls)
      if #uris > 0 then
        local result, fresh =
          limited.ask(state.session .. "/touch/" .. id, uris[1], "foreword.context.touch", {
            session = state.session,
            message = id,
            uris = uris,
            kind = kind,
            model = (model_of(chat)),
          })
        if fresh and result then
          state.seen[id] = true
          for _, injection in ipairs(result.injections) do
            message.content = message.content .. "\n\n" .. injection.text
          end
        end
      end
    end
  end
end

local roles =
  { llm = "assistant", assistant = "assistant", user = "user", system = "system", tool = "tool" }

--- Messages in foreword's shape. Each carries its place, which comes back with it.
---@param messages table[]
---@return foreword.Message[]
local function to_server(messages)
  local list = {}
  for index, message in ipairs(messages) do
    local converted = {
      id = name_of(message),
      role = call_id(message) and "tool" or roles[message.role] or "user",
      content = type(message.content) == "string" and message.content or "",
      pinned = message.role == "system" or nil,
      codecompanion = index,
      toolCallID = call_id(message),
    }
    local calls = {}
    for _, call in ipairs(calls_of(message)) do
      table.insert(calls, {
        id = call.id,
        name = call["function"] and call["function"].name or call.name,
        arguments = arguments_of(call) or vim.empty_dict(),
      })
    end
    if #calls > 0 then
      converted.toolCalls = calls
    end
    table.insert(list, converted)
  end
  return list
end

---@param message foreword.Message that the server made
---@return table
local function from_server(message)
  local made = {
    role = message.role == "assistant" and "llm" or message.role,
    content = message.content,
    opts = { visible = false },
    _meta = { tag = "foreword_made" },
  }
  if message.toolCallID then
    made.tools = { call_id = message.toolCallID }
  end
  return made
end

--- Fits the history into the window, in place: the table is the chat's own, and another one would not be sent.
---@param chat table
---@param messages table[]
function M.fit(chat, messages)
  local state = state_of(chat)
  local params = {
    messages = to_server(messages),
    model = (model_of(chat)) or require("foreword.choice").model(),
    window = options.window,
    cut = state.cut,
  }
  if #params.messages == 0 then
    return
  end
  local result, fresh =
    limited.ask(state.session .. "/history", uri_of(chat), "foreword.history.prepare", params)
  if not result or not fresh then
    return -- a history that was fitted for other messages is of no use
  end
  local request = require("foreword.request")
  if result.report.status == "impossible" then
    return request.tell(
      "the conversation does not fit into the model's window; "
        .. (result.report.help or "begin a new chat"),
      vim.log.levels.WARN
    )
  end
  state.cut = result.cut
  if result.report.status ~= "trimmed" then
    return
  end
  local kept = {}
  for _, message in ipairs(result.messages) do
    local old = message.codecompanion and messages[message.codecompanion]
    if not old then
      old = from_server(message)
    elseif type(message.content) == "string" and message.content ~= old.content then
      old.content = message.content
    end
    table.insert(kept, old)
  end
  for index = #messages, 1, -1 do
    messages[index] = nil
  end
  vim.list_extend(messages, kept)
  request.tell(
    ("the conversation was shortened from %d to %d tokens"):format(
      result.report.before,
      result.report.after
    ),
    vim.log.levels.INFO
  )
end

--- Notes the turn with the server, so that usage can be reported and turns compared. Nobody waits for it.
---@param chat table
---@param messages table[]
local function note_turn(chat, messages)
  local state = state_of(chat)
  local model, provider = model_of(chat)
  state.turn, state.model = nil, model
  local said = vim.tbl_filter(function(message)
    return message.role ~= "system"
  end, to_server(messages))
  require("foreword.request").command(uri_of(chat), "foreword.turn.prepare", {
    uri = uri_of(chat),
    session = state.session,
    wire = "openai-chat",
    model = model or "unknown",
    -- What another panel sends beside our text would spoil what is learnt of the provider's counting.
    provider = provider and ("codecompanion/" .. provider) or "codecompanion",
    messages = said,
  }, function(_, result)
    state.turn = result and result.turn
  end)
end

--- Reports what the provider counted.
---@param chat table
function M.report(chat)
  local state = state_of(chat)
  local tokens = chat.ui and tonumber(chat.ui.tokens)
  if not state.turn or not tokens or tokens <= 0 then
    return
  end
  local answer = chat.messages and chat.messages[#chat.messages]
  local text = answer and answer.role == "llm" and answer.content or nil
  require("foreword.request").command(nil, "foreword.turn.finish", {
    session = state.session,
    turn = state.turn,
    usage = { input = tokens, output = 0 }, -- CodeCompanion knows the sum only
    answer = type(text) == "string" and text or nil,
  }, function() end)
  state.turn = nil
end

---@param chat table
---@param data table? what on_checkpoint gives
local function checkpoint(chat, data)
  local messages = data and data.messages or chat.messages
  if not is_http(chat) or type(messages) ~= "table" then
    return
  end
  if options.proximity ~= false then
    M.tell_nearby(chat, messages)
  end
  if options.trim ~= false then
    M.fit(chat, messages)
  end
  if options.usage ~= false then
    note_turn(chat, messages)
  end
end

--- Gives a chat our callbacks, once.
---@param chat table
function M.attach(chat)
  if states[chat] or not chat.add_callback then
    return
  end
  state_of(chat)
  chat:add_callback("on_before_submit", function(c)
    if options.system ~= false and is_http(c) then
      M.set_system(c)
    end
  end)
  chat:add_callback("on_checkpoint", checkpoint)
  chat:add_callback("on_completed", function(c)
    if options.usage ~= false then
      M.report(c)
    end
  end)
  chat:add_callback("on_closed", function(c)
    states[c] = nil
  end)
end

--- `#{agents}` in a message: the instruction files that apply to the file that the chat is about.
local agents = {
  description = "The instruction files (AGENTS.md and the like) that apply here, by foreword",
  opts = { contains_code = false },
  callback = function(context)
    local chat = context.Chat or {}
    local uri = uri_of(chat)
    local text = prompt.instructions("codecompanion/agents", uri)
    return text ~= "" and text or "No instruction files apply here."
  end,
}

--- Adds #{agents} wherever this version of CodeCompanion keeps what # offers.
local function add_variable()
  local ok, config = pcall(require, "codecompanion.config")
  if not ok then
    return
  end
  local interactions = config.interactions or {}
  for _, place in ipairs({ interactions.shared or {}, interactions.chat or {} }) do
    for _, name in ipairs({ "editor_context", "variables" }) do
      if type(place[name]) == "table" then
        place[name].agents = agents
      end
    end
  end
end

--- Called by CodeCompanion with the opts of the extension.
---@param opts? foreword.CodeCompanionOpts
function M.setup(opts)
  options = opts or {}
  add_variable()
  vim.api.nvim_create_autocmd("User", {
    group = vim.api.nvim_create_augroup("foreword.codecompanion", { clear = true }),
    pattern = "CodeCompanionChatCreated",
    callback = function(event)
      local chat =
        require("codecompanion").buf_get_chat(event.data and event.data.bufnr or event.buf)
      if chat then
        M.attach(chat)
      end
    end,
  })
end

return M
