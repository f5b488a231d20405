--- Reads what Ollama's own /api/chat sends: an object in each line.
local problem = require("foreword.models.problem")
local stream = require("foreword.models.stream")

local words, object, count = stream.words, stream.object, stream.count

---@return foreword.Reader
return function()
  local calls = 0
  return stream.objects(function(event)
    if event.error ~= nil then
      error(problem.new("server", words(event.error) or vim.json.encode(event.error)), 0)
    end
    local message = object(event.message)
    local deltas = {} ---@type foreword.Delta[]
    local thinking, text = words(message.thinking), words(message.content)
    if thinking and thinking ~= "" then
      table.insert(deltas, { kind = "thinking", text = thinking })
    end
    if text and text ~= "" then
      table.insert(deltas, { kind = "text", text = text })
    end
    for _, value in ipairs(object(message.tool_calls)) do
      local call = object(object(value)["function"])
      local arguments = object(call.arguments)
      table.insert(deltas, {
        kind = "call",
        index = calls,
        id = words(object(value).id),
        name = words(call.name),
        arguments = next(arguments) and vim.json.encode(arguments) or "{}",
      })
      calls = calls + 1
    end
    if event.done == true then
      if event.prompt_eval_count ~= nil then
        table.insert(deltas, {
          kind = "usage",
          usage = { input = count(event.prompt_eval_count), output = count(event.eval_count) },
        })
      end
      table.insert(deltas, { kind = "end", reason = words(event.done_reason) or "stop" })
    end
    return deltas
  end)
end
