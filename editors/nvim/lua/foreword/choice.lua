--- What the user chose for conversations: model, agent and mode. The preview shows the prompt with them, and the chat
--- panel sends it so. What was not chosen is what the settings say.
local M = {}

---@class foreword.Choice
---@field model? string as the provider spells it; nil is the setting `model`
---@field agent? string nil is the server's own default
---@field mode? "build"|"plan" nil is build

---@alias foreword.ChoiceKey "model"|"agent"|"mode"

local chosen = {} ---@type foreword.Choice
local listeners = {} ---@type fun(key: foreword.ChoiceKey, value: string?)[]

--- A copy of what is chosen now.
---@return foreword.Choice
function M.get()
  return vim.deepcopy(chosen)
end

--- The model that requests are for: the chosen one, else the one of the settings.
---@return string?
function M.model()
  return chosen.model or require("foreword.config").get().settings.model
end

--- Chooses; nil or "" goes back to the settings. Whoever listens is told when something changed.
---@param key foreword.ChoiceKey
---@param value string?
function M.set(key, value)
  value = value ~= "" and value or nil
  if key == "mode" and value and value ~= "build" and value ~= "plan" then
    error(("foreword: a mode is build or plan, not %s"):format(value), 2)
  elseif key ~= "mode" and key ~= "model" and key ~= "agent" then
    error(("foreword: model, agent and mode can be chosen, not %s"):format(key), 2)
  end
  if chosen[key] == value then
    return
  end
  chosen[key] = value
  for _, listener in ipairs(vim.list_slice(listeners)) do
    listener(key, value)
  end
end

--- Calls a function after every change.
---@param listener fun(key: foreword.ChoiceKey, value: string?)
---@return fun() remove
function M.on_change(listener)
  table.insert(listeners, listener)
  return function()
    for i, known in ipairs(listeners) do
      if known == listener then
        return table.remove(listeners, i)
      end
    end
  end
end

--- Lays the choice over the parameters of a command that builds a prompt; what they have already stays.
---@generic T: table
---@param params T
---@return T
function M.apply(params)
  for key, value in pairs(chosen) do
    if key == "model" then -- the chat's ENDPOINT/MODEL is the model alone to the server
      value = require("foreword.models.endpoint").find(value).model
    end
    if params[key] == nil and value ~= "" then
      params[key] = value
    end
  end
  return params
end

return M
