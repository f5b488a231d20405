--- One turn: prepares the request, asks the model, reports what it cost.
local conversations = require("foreword.chat.conversation")
local problems = require("foreword.models.problem")
local server = require("foreword.chat.server")

local M = {}

---@class foreword.TurnRequest
---@field uri? string
---@field model foreword.Model
---@field tools foreword.Tool[]

---@class foreword.TurnEvents
---@field grown fun(delta: foreword.Delta) a piece of the answer came
---@field changed fun() the entry is another one now
---@field waiting fun(text: string?) what is waited for

--- Answers that are being put together; not in the entry, which is stored.
local under_way = setmetatable({}, { __mode = "k" }) ---@type table<foreword.Entry, foreword.Building>

--- What there is of an answer by now.
---@param entry foreword.Entry
---@return foreword.MessagePart[]
function M.parts(entry)
  local building = under_way[entry]
  return building and building.answer().parts or entry.parts or {}
end

local attempts = 4 -- three waits are as long as anybody looks at a notice
local longest_wait = 120 -- seconds; who is to wait longer is told at once

---@param conversation foreword.Conversation
---@param request foreword.TurnRequest
---@return foreword.PrepareTurnParams
local function params_of(conversation, request)
  local params = {
    uri = request.uri,
    session = conversation.id,
    model = request.model.model ~= "" and request.model.model or nil,
    provider = request.model.endpoint and request.model.endpoint.provider or nil,
    window = request.model.endpoint and request.model.endpoint.window or nil,
    agent = conversation.agent,
    mode = conversation.mode,
    wire = request.model.wire,
    bodyText = true,
    tools = #request.tools > 0 and request.tools or nil,
  }
  return require("foreword.pins").apply(params)
end

---@param task foreword.Task
---@param conversation foreword.Conversation
---@param entries foreword.Entry[] without the answer that is asked for
---@param request foreword.TurnRequest
---@return foreword.ServerProblem?
---@return foreword.PrepareTurnResult?
local function prepare(task, conversation, entries, request)
  local params = params_of(conversation, request)
  local last = conversations.last_sent(entries)
  params.parentTurn = last > 0 and entries[last].turn or 0
  local problem, result
  if conversation.whole then
    params.messages = conversations.messages(entries)
    problem, result = server.call(task, request.uri, "foreword.turn.prepare", params)
  else
    params.append = conversations.messages(entries, math.max(last, 1))
    problem, result = server.call(task, request.uri, "foreword.turn.prepare", params)
  end
  if problem and (problem.code == "unknown_session" or problem.code == "unknown_turn") then
    -- The server's store was deleted, or is another machine's: it is told all that was said.
    params.append, params.messages = nil, conversations.messages(entries)
    params.parentTurn = 0
    problem, result = server.call(task, request.uri, "foreword.turn.prepare", params)
  end
  if result then
    conversation.whole = nil
    local decoded, body = pcall(vim.json.decode, result.bodyText)
    if decoded then
      local record = vim.tbl_extend("force", result, { body = body })
      require("foreword.turns").record(params, record)
    end
  end
  return problem, result
end

---@param task foreword.Task
---@param seconds number
local function rest(task, seconds)
  task:wait(function(resume)
    local timer = vim.defer_fn(resume, seconds * 1000)
    return function()
      if not timer:is_closing() then
        timer:stop()
        timer:close()
      end
    end
  end)
end

--- Asks the model, and once more when it wants to be left alone for a while, as long as nothing came yet.
---@param task foreword.Task
---@param request foreword.TurnRequest
---@param prepared foreword.PrepareTurnResult
---@param building foreword.Building
---@param events foreword.TurnEvents
---@return foreword.Problem?
local function ask(task, request, prepared, building, events)
  for attempt = 1, attempts do
    local begun = false
    local problem = task:wait(function(resume)
      return require("foreword.models.endpoint").ask(request.model, prepared, {
        on_delta = function(delta)
          begun = true
          building.add(delta)
          events.grown(delta)
        end,
        on_end = resume,
      })
    end)
    if task.stopped or not problem or problem.kind ~= "rate" or begun then
      return not task.stopped and problem or nil
    end
    local seconds = problem.retry_after or 2 ^ attempt
    if attempt == attempts or seconds > longest_wait then
      return problem
    end
    events.waiting(
      ("the endpoint wants fewer requests; asking again in %d s"):format(math.ceil(seconds))
    )
    rest(task, seconds)
    events.waiting(nil)
  end
end

---@param conversation foreword.Conversation
---@param entry foreword.Entry
---@param uri string?
local function report(conversation, entry, uri)
  local failed = entry.state ~= "done" and (entry.problem and entry.problem.kind or "stopped")
    or nil
  if not entry.usage and not failed then
    return -- some endpoints count nothing; then there is nothing to hold against the prediction
  end
  local answer = conversations.answer_text(entry)
  -- Nobody waits for it: the answer is there, and a server that is gone must not take it away.
  server.send(uri, "foreword.turn.finish", {
    session = conversation.id,
    turn = entry.turn,
    usage = entry.usage,
    error = failed,
    answer = answer ~= "" and answer or nil,
  }, function(problem)
    if problem then
      require("foreword.log").add({ type = 2, message = "turn.finish: " .. problem.message })
    end
  end)
end

--- Runs a turn. The answer is the last entry, and is changed as it goes.
---@param task foreword.Task
---@param conversation foreword.Conversation
---@param entry foreword.Entry
---@param request foreword.TurnRequest
---@param events foreword.TurnEvents
function M.run(task, conversation, entry, request, events)
  local entries = conversation.entries
  local before = vim.list_slice(entries, 1, #entries - 1)
  entry.model = request.model.model
  local problem, prepared = prepare(task, conversation, before, request)
  if not prepared then
    entry.state = problem and "failed" or "stopped"
    entry.problem = problem and problems.new("prepare", problem.message) or nil
    return events.changed()
  end
  local fresh = {}
  local last = conversations.last_sent(before)
  for i = math.max(last, 1), #before do
    fresh[before[i].id] = true
  end
  entry.turn = prepared.turn
  entry.notes = require("foreword.chat.notes").of(prepared, fresh)
  entry.sent = { tokens = prepared.tokens, cache = prepared.cache }
  events.changed()

  if request.model.wire == "text" then
    local ok, body = pcall(vim.json.decode, prepared.bodyText)
    entry.parts = { { type = "text", text = ok and body.text or prepared.bodyText } }
    entry.state, entry.reason = "done", "prompt"
    return events.changed()
  end

  local building = require("foreword.models.answer").new(entry.model, conversations.new_id)
  under_way[entry] = building
  problem = ask(task, request, prepared, building, events)
  under_way[entry] = nil
  local answer = building.answer()
  entry.parts, entry.usage, entry.reason = answer.parts, answer.usage, answer.reason
  if task.stopped then
    entry.state = "stopped"
  elseif problem then
    entry.state, entry.problem = "failed", problem
  elseif #answer.parts == 0 then
    entry.state, entry.problem = "failed", problems.new("empty")
  else
    entry.state = "done"
  end
  report(conversation, entry, request.uri)
  events.changed()
end

return M
