--- The tools that the chat offers to the model: the server's, which look, and edit, which the user decides on.
local server = require("foreword.chat.server")

local M = {}

local rules = {} ---@type table<string, string> what the agent's rules say of each tool

---@param conversation foreword.Conversation
---@return boolean
local function may_edit(conversation)
  return conversation.agent ~= "explore"
end

--- The tools for the next request. Where the server cannot say, none; the turn then says why.
---@param task foreword.Task
---@param conversation foreword.Conversation
---@return foreword.Tool[]
function M.offered(task, conversation)
  local problem, result = server.call(task, conversation.uri, "foreword.tools.list", {
    uri = conversation.uri,
    agent = conversation.agent,
    mode = conversation.mode,
  })
  if problem or not result then
    return {}
  end
  rules = {}
  for _, permission in ipairs(result.permissions) do
    rules[permission.name] = permission.action
  end
  local tools = vim.list_slice(result.tools)
  if may_edit(conversation) then
    table.insert(tools, require("foreword.tools.edit").definition)
  end
  return tools
end

--- Puts a question to the user; what is allowed for the conversation is not asked for again.
---@param task foreword.Task
---@param conversation foreword.Conversation
---@param name string of the tool
---@param question string
---@return boolean
function M.ask(task, conversation, name, question)
  if conversation.allowed[name] then
    return true
  end
  local choices = { "Allow once", "Allow for this conversation", "Deny" }
  local choice = task:wait(function(resume)
    vim.ui.select(choices, { prompt = question, kind = "foreword-approval" }, function(_, index)
      resume(index)
    end)
  end)
  if task.stopped then
    return false
  end
  if choice == 2 then
    conversation.allowed[name] = true
  end
  return choice == 1 or choice == 2
end

---@param task foreword.Task
---@param conversation foreword.Conversation
---@param entry foreword.Entry
---@param become fun(state: string, output: string)
local function call(task, conversation, entry, become)
  if not rules[entry.name] then
    local names = vim.tbl_keys(rules)
    table.sort(names)
    return become(
      "failed",
      ('There is no tool "%s". There are: %s.'):format(entry.name, table.concat(names, ", "))
    )
  end
  local function ask_server(approved)
    return server.call(task, conversation.uri, "foreword.tools.call", {
      name = entry.name,
      arguments = entry.arguments,
      uri = conversation.uri,
      agent = conversation.agent,
      session = conversation.id,
      message = entry.id,
      approved = approved or nil,
    })
  end
  local problem, result = ask_server(conversation.allowed[entry.name])
  if result and result.ask and result.ask ~= "" then
    become("asking", "")
    if not M.ask(task, conversation, entry.name, result.ask) then
      return become("denied", "The user did not allow this call.")
    end
    become("running", "")
    problem, result = ask_server(true)
  end
  if not result then
    return become(
      "failed",
      problem and problem.message .. "." or "The user stopped the answer before this was done."
    )
  end
  entry.title = result.title
  if #result.injections > 0 then
    local notes = require("foreword.chat.notes")
    entry.notes = { notes.injected(notes.files(result.injections)) }
  end
  become(result.isError and "failed" or "done", result.text)
end

--- Runs a call to its end and writes what came of it into the entry.
---@param task foreword.Task
---@param conversation foreword.Conversation
---@param entry foreword.Entry
---@param changed fun()
function M.run(task, conversation, entry, changed)
  local function become(state, output)
    entry.state, entry.output = state, output
    changed()
  end
  if task.stopped then
    return become("denied", "The user stopped the answer before this was done.")
  end
  if entry.name == "edit" and may_edit(conversation) then
    require("foreword.tools.edit").run(task, conversation, entry, become)
  else
    call(task, conversation, entry, become)
  end
end

return M
