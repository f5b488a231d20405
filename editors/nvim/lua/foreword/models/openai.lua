--- Reads what OpenAI's chat API streams, and the many that speak like it.
local problem = require("foreword.models.problem")
local stream = require("foreword.models.stream")

local words, object, count = stream.words, stream.object, stream.count

---@param delta table of a choice
---@param deltas foreword.Delta[]
local function said(delta, deltas)
  local thinking = words(delta.reasoning_content) or words(delta.reasoning)
  if thinking and thinking ~= "" then
    table.insert(deltas, { kind = "thinking", text = thinking })
  end
  local text = words(delta.content) or words(delta.refusal)
  if text and text ~= "" then
    table.insert(deltas, { kind = "text", text = text })
  end
  for position, value in ipairs(object(delta.tool_calls)) do
    local call = object(value)
    local named = object(call["function"])
    table.insert(deltas, {
      kind = "call",
      index = type(call.index) == "number" and call.index or position - 1,
      id = words(call.id),
      name = words(named.name),
      arguments = words(named.arguments),
    })
  end
end

---@return foreword.Reader
return function()
  return stream.events(function(event)
    if event.error ~= nil then
      local message = words(event.error) or words(object(event.error).message)
      error(problem.new("server", message or vim.json.encode(event.error)), 0)
    end
    local deltas = {} ---@type foreword.Delta[]
    local choice = object(object(event.choices)[1])
    -- One that was not made to stream has the message whole.
    said(object(choice.delta or choice.message), deltas)
    local reason = words(choice.finish_reason)
    if reason and reason ~= "" then
      table.insert(deltas, { kind = "end", reason = reason })
    end
    local usage = object(event.usage)
    if usage.prompt_tokens ~= nil then
      local cached = object(usage.prompt_tokens_details).cached_tokens
        or usage.prompt_cache_hit_tokens
      table.insert(deltas, {
        kind = "usage",
        usage = {
          input = count(usage.prompt_tokens),
          output = count(usage.completion_tokens),
          cacheRead = cached and count(cached) or nil,
        },
      })
    end
    return deltas
  end)
end
