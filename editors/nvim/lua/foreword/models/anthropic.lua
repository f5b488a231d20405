--- Reads what Anthropic's messages API streams.
local problem = require("foreword.models.problem")
local stream = require("foreword.models.stream")

local words, object, count = stream.words, stream.object, stream.count

local kinds = {
  rate_limit_error = "rate",
  overloaded_error = "rate",
  authentication_error = "key",
  permission_error = "key",
  not_found_error = "not-found",
  invalid_request_error = "request",
}

local begun = {
  tool_use = function(index, block)
    return { kind = "call", index = index, id = words(block.id), name = words(block.name) }
  end,
  redacted_thinking = function(_, block)
    return { kind = "thinking", data = words(block.data) or "" }
  end,
  thinking = function(_, block)
    return { kind = "thinking", text = words(block.thinking) or "" }
  end,
  text = function(_, block)
    return { kind = "text", text = words(block.text) or "" }
  end,
}

local more = {
  text_delta = function(_, delta)
    return { kind = "text", text = words(delta.text) or "" }
  end,
  thinking_delta = function(_, delta)
    return { kind = "thinking", text = words(delta.thinking) or "" }
  end,
  signature_delta = function(_, delta)
    return { kind = "thinking", signature = words(delta.signature) or "" }
  end,
  input_json_delta = function(index, delta)
    return { kind = "call", index = index, arguments = words(delta.partial_json) or "" }
  end,
}

---@return foreword.Reader
return function()
  local usage = { input = 0, output = 0 } ---@type foreword.Usage
  local function counted(said)
    if said.input_tokens ~= nil then
      usage.input = count(said.input_tokens)
      usage.cacheRead = count(said.cache_read_input_tokens)
      usage.cacheWrite = count(said.cache_creation_input_tokens)
    end
    if said.output_tokens ~= nil then
      usage.output = count(said.output_tokens)
    end
    return { kind = "usage", usage = vim.deepcopy(usage) }
  end
  return stream.events(function(event)
    local index = type(event.index) == "number" and event.index or 0
    if event.type == "error" then
      local said = object(event.error)
      error(
        problem.new(kinds[said.type] or "server", words(said.message) or vim.json.encode(said)),
        0
      )
    elseif event.type == "message_start" then
      return { counted(object(object(event.message).usage)) }
    elseif event.type == "content_block_start" then
      local block = object(event.content_block)
      return { begun[block.type] and begun[block.type](index, block) }
    elseif event.type == "content_block_delta" then
      local delta = object(event.delta)
      return { more[delta.type] and more[delta.type](index, delta) }
    elseif event.type == "message_delta" then
      local deltas = { counted(object(event.usage)) }
      local reason = words(object(event.delta).stop_reason)
      if reason then
        table.insert(deltas, { kind = "end", reason = reason })
      end
      return deltas
    elseif event.type == "message_stop" then
      return { { kind = "end", reason = "stop" } }
    end
    return {} -- ping, content_block_stop, and what may come
  end)
end
