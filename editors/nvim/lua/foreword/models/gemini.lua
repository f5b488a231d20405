--- Reads what Gemini's streamGenerateContent sends with alt=sse.
local problem = require("foreword.models.problem")
local stream = require("foreword.models.stream")

local words, object, count = stream.words, stream.object, stream.count

---@return foreword.Reader
return function()
  local calls = 0
  return stream.events(function(event)
    if event.error ~= nil then
      local said = object(event.error)
      error(
        problem.new(
          said.code == 429 and "rate" or "server",
          words(said.message) or vim.json.encode(event.error),
          type(said.code) == "number" and said.code or nil
        ),
        0
      )
    end
    local blocked = words(object(event.promptFeedback).blockReason)
    if blocked then
      error(problem.new("blocked", blocked), 0)
    end
    local deltas = {} ---@type foreword.Delta[]
    local candidate = object(object(event.candidates)[1])
    for _, value in ipairs(object(object(candidate.content).parts)) do
      local part = object(value)
      local signature = words(part.thoughtSignature)
      local text = words(part.text)
      if part.functionCall ~= nil then
        local call = object(part.functionCall)
        local arguments = object(call.args)
        -- Gemini gives a call whole, and most often without an id.
        table.insert(deltas, {
          kind = "call",
          index = calls,
          id = words(call.id),
          name = words(call.name),
          arguments = next(arguments) and vim.json.encode(arguments) or "{}",
          signature = signature,
        })
        calls = calls + 1
      elseif part.thought == true then
        table.insert(deltas, { kind = "thinking", text = text, signature = signature })
      elseif text and text ~= "" then
        table.insert(deltas, { kind = "text", text = text })
      end
    end
    local usage = object(event.usageMetadata)
    if usage.promptTokenCount ~= nil then
      table.insert(deltas, {
        kind = "usage",
        usage = {
          input = count(usage.promptTokenCount),
          output = count(usage.candidatesTokenCount) + count(usage.thoughtsTokenCount),
          cacheRead = count(usage.cachedContentTokenCount),
        },
      })
    end
    local reason = words(candidate.finishReason)
    if reason then
      table.insert(deltas, { kind = "end", reason = reason })
    end
    return deltas
  end)
end
