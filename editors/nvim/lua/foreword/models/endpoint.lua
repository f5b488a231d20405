--- What an endpoint is, which models it has, and how it is asked.
local problem = require("foreword.models.problem")

local M = {}

---@alias foreword.EndpointType "openai"|"anthropic"|"gemini"|"ollama"

---@class foreword.Endpoint
---@field name string
---@field type? foreword.EndpointType openai by default
---@field url string address up to the version: https://api.openai.com/v1
---@field models? string[]
---@field key? string|string[]|fun(): string? name of an environment variable, command line, or function
---@field headers? table<string, string>
---@field provider? string who serves the models, where that is not what the name says
---@field window? integer context window in tokens

---@class foreword.Model
---@field name string ENDPOINT/MODEL
---@field model string as the provider spells it
---@field wire string
---@field endpoint? foreword.Endpoint none where nobody is asked

---@param key string
---@return table<string, string>
local function bearer(key)
  return { authorization = "Bearer " .. key }
end

local kinds = {
  openai = {
    wire = "openai-chat",
    reader = "foreword.models.openai",
    path = function()
      return "/chat/completions"
    end,
    stream = '"stream":true,"stream_options":{"include_usage":true}',
    key = bearer,
  },
  anthropic = {
    wire = "anthropic",
    reader = "foreword.models.anthropic",
    path = function()
      return "/messages"
    end,
    stream = '"stream":true',
    key = function(key)
      return { ["x-api-key"] = key }
    end,
  },
  gemini = {
    wire = "gemini",
    reader = "foreword.models.gemini",
    path = function(model)
      return ("/models/%s:streamGenerateContent?alt=sse"):format(vim.uri_encode(model, "rfc2396"))
    end,
    key = function(key)
      return { ["x-goog-api-key"] = key }
    end,
  },
  ollama = {
    wire = "ollama",
    reader = "foreword.models.ollama",
    path = function()
      return "/api/chat"
    end,
    stream = '"stream":true',
    key = bearer,
  },
}

--- Nobody is asked: the prompt is shown, to be copied.
---@type foreword.Model
M.nobody = { name = "none", model = "", wire = "text" }

--- What is wrong with an endpoint as the user wrote it.
---@param endpoint any
---@return string? problem
local function wrong(endpoint)
  if type(endpoint) ~= "table" or type(endpoint.name) ~= "string" or endpoint.name == "" then
    return "an endpoint needs a name"
  elseif type(endpoint.url) ~= "string" or not endpoint.url:match("^https?://.") then
    return ("the endpoint %s needs a url that begins with https:// or http://"):format(
      endpoint.name
    )
  elseif not kinds[endpoint.type or "openai"] then
    return ("the type of the endpoint %s is openai, anthropic, gemini or ollama, not %s"):format(
      endpoint.name,
      tostring(endpoint.type)
    )
  elseif type(endpoint.key) == "string" and not endpoint.key:match("^[%a_][%w_]*$") then
    -- What is written in a configuration ends in a repository; so the value is not shown either.
    return (
      "the key of the endpoint %s must be the name of an environment variable, "
      .. "a list with a command line, or a function; not the key itself"
    ):format(endpoint.name)
  end
end

--- The endpoints of the settings; what makes no sense is left out and named.
---@return foreword.Endpoint[]
---@return string[] problems
function M.endpoints()
  local good, bad, seen = {}, {}, {}
  for _, endpoint in ipairs(require("foreword.config").get().chat.endpoints) do
    local fault = wrong(endpoint)
    if fault then
      table.insert(bad, fault)
    elseif seen[endpoint.name] then
      table.insert(bad, ("two endpoints are called %s"):format(endpoint.name))
    else
      seen[endpoint.name] = true
      table.insert(good, endpoint)
    end
  end
  return good, bad
end

---@param endpoint foreword.Endpoint
---@param model string
---@return foreword.Model
local function model_of(endpoint, model)
  return {
    name = endpoint.name .. "/" .. model,
    model = model,
    wire = kinds[endpoint.type or "openai"].wire,
    endpoint = endpoint,
  }
end

--- All models that the endpoints name.
---@return foreword.Model[]
function M.models()
  local models = {}
  for _, endpoint in ipairs((M.endpoints())) do
    for _, model in ipairs(endpoint.models or {}) do
      table.insert(models, model_of(endpoint, model))
    end
  end
  return models
end

--- The model that a name means: ENDPOINT/MODEL, a model that an endpoint names, or any model at the first endpoint.
--- Without a name the first model there is; without an endpoint nobody.
---@param name? string
---@return foreword.Model
function M.find(name)
  local endpoints = M.endpoints()
  if name == "none" or #endpoints == 0 then
    return vim.tbl_extend("force", M.nobody, { model = name ~= "none" and name or "" })
  end
  if not name or name == "" then
    for _, endpoint in ipairs(endpoints) do
      if endpoint.models and endpoint.models[1] then
        return model_of(endpoint, endpoint.models[1])
      end
    end
    return M.nobody
  end
  for _, endpoint in ipairs(endpoints) do
    if vim.startswith(name, endpoint.name .. "/") then
      return model_of(endpoint, name:sub(#endpoint.name + 2))
    end
  end
  for _, endpoint in ipairs(endpoints) do
    if vim.tbl_contains(endpoint.models or {}, name) then
      return model_of(endpoint, name)
    end
  end
  return model_of(endpoints[1], name)
end

local keys = {} ---@type table<string, string> by endpoint, what commands printed: asking a vault each time is a nuisance

--- Gets the key of an endpoint. It is told to nobody but the endpoint.
---@param endpoint foreword.Endpoint
---@param done fun(problem: foreword.Problem?, key: string?)
---@return fun()? cancel
local function key_of(endpoint, done)
  local key = endpoint.key
  if key == nil then
    return done(nil, nil)
  elseif type(key) == "string" then
    local value = vim.env[key]
    if not value or value == "" then
      return done(problem.new("key", ("the environment variable %s is not set"):format(key)))
    end
    return done(nil, vim.trim(value))
  elseif type(key) == "function" then
    local ok, value = pcall(key)
    if not ok or type(value) ~= "string" or value == "" then
      return done(problem.new("key", ("the function of %s gave no key"):format(endpoint.name)))
    end
    return done(nil, vim.trim(value))
  elseif keys[endpoint.name] then
    return done(nil, keys[endpoint.name])
  end
  local function failed()
    done(problem.new("key", ("the command `%s` of %s gave no key"):format(key[1], endpoint.name)))
  end
  local ok, process = pcall(
    vim.system,
    key,
    { text = true },
    vim.schedule_wrap(function(result)
      local value = vim.trim((result.stdout or ""):match("^[^\n]*"))
      if result.code ~= 0 or value == "" then
        return failed()
      end
      keys[endpoint.name] = value
      done(nil, value)
    end)
  )
  if not ok then
    return failed()
  end
  return function()
    process:kill("sigterm")
  end
end

--- The body that is sent: the server's, byte for byte, and behind it what makes the answer stream.
---@param body string
---@param stream? string
---@return string
local function streamed(body, stream)
  if not stream then
    return body
  end
  local open = body:gsub("%s*}%s*$", "")
  return open .. (open:match("{%s*$") and "" or ",") .. stream .. "}"
end

---@class foreword.Asking
---@field on_delta fun(delta: foreword.Delta) may raise a foreword.Problem
---@field on_end fun(problem: foreword.Problem?) once

--- Sends a prepared request and hands on the pieces of the answer.
---@param model foreword.Model
---@param prepared foreword.PrepareTurnResult
---@param asking foreword.Asking
---@return fun() cancel ends it without on_end
function M.ask(model, prepared, asking)
  local endpoint = assert(model.endpoint)
  local kind = kinds[endpoint.type or "openai"]
  local over, cancel = false, nil ---@type boolean, fun()?
  cancel = key_of(endpoint, function(failed, key)
    if over then
      return
    elseif failed then
      return asking.on_end(failed)
    end
    local headers = vim.tbl_extend("force", prepared.headers or {}, key and kind.key(key) or {})
    for name, value in pairs(endpoint.headers or {}) do
      headers[name:lower()] = tostring(value)
    end
    local reader = require(kind.reader)()
    cancel = require("foreword.models.curl").send({
      url = endpoint.url:gsub("/+$", "") .. kind.path(model.model),
      headers = headers,
      body = streamed(prepared.bodyText, kind.stream),
    }, {
      on_bytes = function(bytes)
        for _, delta in ipairs(reader.push(bytes)) do
          asking.on_delta(delta)
        end
      end,
      on_end = function(trouble)
        if trouble and trouble.kind == "key" then
          keys[endpoint.name] = nil -- the vault may have another by now
        end
        if not trouble then
          local ok, caught = pcall(function()
            for _, delta in ipairs(reader.finish()) do
              asking.on_delta(delta)
            end
          end)
          trouble = not ok and problem.from(caught) or nil
        end
        asking.on_end(trouble)
      end,
    })
  end) or cancel
  return function()
    over = true
    if cancel then
      cancel()
    end
  end
end

return M
