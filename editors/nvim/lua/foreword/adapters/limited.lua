--- Requests of other panels, which call us and wait: each ends within 300 ms. What comes later is kept for the next
--- time, and until then the last answer holds.
local M = {}

--- Milliseconds that a panel may be kept waiting.
M.limit = 300

local answers = {} ---@type table<string, table> by key, the last answer
local warned = {} ---@type table<string, boolean> keys of which the user knows that an answer is late

---@param key string
---@param text string
local function warn(key, text)
  if not warned[key] then
    warned[key] = true
    vim.schedule(function()
      require("foreword.request").tell(text, vim.log.levels.WARN)
    end)
  end
end

--- Asks the server and waits no longer than the limit. In a callback of the event loop, where nothing may wait, the
--- last answer is given at once and a new one asked for.
---@param key string whose last answer it is, such as the panel and the conversation
---@param uri string? the file that it is about
---@param command foreword.CommandName
---@param params table
---@return table? result the answer, or the last one, where there is one
---@return boolean fresh whether it is the answer to these parameters
function M.ask(key, uri, command, params)
  local answered, fresh, failed = false, nil, nil
  local function send()
    require("foreword.request").command(uri, command, params, function(problem, result)
      answered, fresh, failed = true, result, problem
      if result then
        answers[key], warned[key] = result, nil
      end
    end)
  end
  if vim.in_fast_event() then
    vim.schedule(send)
    return answers[key], false
  end
  send()
  vim.wait(M.limit, function()
    return answered
  end, 5)
  if fresh then
    return fresh, true
  end
  local instead = answers[key] and "what was known before is used" or "nothing is added"
  warn(
    key,
    failed and ("%s; %s"):format(failed, instead)
      or ("%s did not answer within %d ms; %s"):format(command, M.limit, instead)
  )
  return answers[key], false
end

--- Forgets what was answered under a key.
---@param key string
function M.forget(key)
  answers[key], warned[key] = nil, nil
end

return M
