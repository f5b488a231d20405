--- `:Foreword model`, `agent` and `mode`: what conversations and previews are for.
local M = {}

local usual_agents = { "build", "explore", "general", "plan" }
local known_agents = nil ---@type string[]? the usual ones and those of the settings

---@param list string[]
---@param more (string|nil)[]
---@return string[] sorted, each once
local function merged(list, more)
  local seen, all = {}, {}
  for _, source in ipairs({ list, more }) do
    for _, word in pairs(source) do
      if word ~= "" and not seen[word] then
        seen[word] = true
        table.insert(all, word)
      end
    end
  end
  table.sort(all)
  return all
end

--- The models that are known by name: the chosen one, that of the settings, those of the panel's endpoints.
---@return string[]
function M.models()
  local found =
    { require("foreword.choice").get().model, require("foreword.config").get().settings.model }
  local names = vim.tbl_map(function(model)
    return model.name
  end, require("foreword.models.endpoint").models())
  return merged(names, found)
end

local asking = false

--- Agents by name. Those that foreword.toml declares are asked for in the background, so that typing never waits.
---@return string[]
function M.agents()
  if not asking and require("foreword.client").get() then
    asking = true
    require("foreword.request").command(nil, "foreword.status", {}, function(_, result)
      asking = false
      for _, setting in ipairs(result and result.settings or {}) do
        if setting.key == "agents" and type(setting.value) == "table" then
          known_agents = merged(usual_agents, setting.value)
        end
      end
    end)
  end
  return merged(known_agents or usual_agents, { require("foreword.choice").get().agent })
end

---@param key foreword.ChoiceKey
---@param value string?
local function set(key, value)
  require("foreword.choice").set(key, value)
  local said = value and ("%s: %s"):format(key, value) or ("%s: as the settings say"):format(key)
  require("foreword.request").tell(said, vim.log.levels.INFO)
end

--- Asks for one of several; the last one goes back to the settings.
---@param key foreword.ChoiceKey
---@param words string[]
---@param free boolean another word may be typed
local function ask(key, words, free)
  local current = require("foreword.choice").get()[key]
  local items = vim.list_slice(words)
  if free then
    table.insert(items, "another…")
  end
  table.insert(items, "as the settings say")
  vim.ui.select(items, {
    prompt = ("foreword: %s%s"):format(key, current and (" (now " .. current .. ")") or ""),
    kind = "foreword." .. key,
  }, function(item, index)
    if not item then
      return
    elseif index == #items then
      return set(key, nil)
    elseif free and index == #items - 1 then
      return vim.ui.input({ prompt = key .. ": ", default = current }, function(typed)
        if typed and typed ~= "" then
          set(key, typed)
        end
      end)
    end
    set(key, item)
  end)
end

--- Chooses the model, or asks for it.
---@param name? string
function M.model(name)
  if name then
    return set("model", name)
  end
  ask("model", M.models(), true)
end

--- Chooses the agent, or asks for it.
---@param name? string
function M.agent(name)
  if name then
    return set("agent", name)
  end
  ask("agent", M.agents(), true)
end

--- Chooses the mode, or turns to the other one.
---@param name? "build"|"plan"
function M.mode(name)
  set("mode", name or (require("foreword.choice").get().mode == "plan" and "build" or "plan"))
end

return M
