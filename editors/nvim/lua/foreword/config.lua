--- Settings of the plugin: the defaults, over them `vim.g.foreword`, over them what setup() was given.
local M = {}

---@class foreword.Config
---@field cmd? string|string[] The program, or the whole command line. Without it: $PATH, then one built here.
---@field autostart boolean|fun(bufnr: integer): boolean Whether a buffer that is a file gets the server.
---@field settings table<string, any> What the server is told; the keys of foreword.toml.
---@field window foreword.WindowConfig
---@field codelens boolean Show what an instruction file reaches, above its first line.
---@field count false|"winbar"|"sign" Show in source buffers how many instruction files apply.
---@field chat foreword.ChatConfig
---@field debounce integer Milliseconds of rest after which an open preview follows an edit.

--- auto is right on a wide screen, else below.
---@alias foreword.Split "auto"|"right"|"left"|"above"|"below"|"tab"|"current"

---@class foreword.WindowConfig
---@field split foreword.Split Where a document opens. A modifier (`:tab`) wins.
---@field folded boolean Whether the sections of a preview begin folded.

---@class foreword.ChatConfig
---@field endpoints foreword.Endpoint[] Where models are asked. Without one the prompt is shown, to be copied.
---@field model? string ENDPOINT/MODEL, or a model that an endpoint names. Without it the first one there is.
---@field window foreword.Split|"float" Where the panel opens. A modifier (`:tab`) wins.
---@field width integer Columns of the panel beside other windows.
---@field height integer Lines of the prompt.
---@field max_steps integer Requests for one message, at most.

---@class foreword.Opts What a user may give: any part of foreword.Config.
---@field cmd? string|string[]
---@field autostart? boolean|fun(bufnr: integer): boolean
---@field settings? table<string, any>
---@field window? { split?: string, folded?: boolean }
---@field codelens? boolean
---@field count? false|"winbar"|"sign"
---@field chat? table any part of foreword.ChatConfig
---@field debounce? integer

---@type foreword.Config
local defaults = {
  cmd = nil,
  autostart = true,
  settings = {},
  window = { split = "auto", folded = false },
  codelens = true,
  count = false,
  chat = { endpoints = {}, window = "auto", width = 80, height = 6, max_steps = 25 },
  debounce = 150,
}

--- The types that a key may have; the second place is a list of allowed values.
local shape = {
  cmd = { "string", "table" },
  autostart = { "boolean", "function" },
  settings = { "table" },
  ["window"] = { "table" },
  ["window.split"] = {
    "string",
    one_of = { "auto", "right", "left", "above", "below", "tab", "current" },
  },
  ["window.folded"] = { "boolean" },
  codelens = { "boolean" },
  count = { "boolean", "string", one_of = { false, "winbar", "sign" } },
  ["chat"] = { "table" },
  ["chat.endpoints"] = { "table" },
  ["chat.model"] = { "string" },
  ["chat.window"] = {
    "string",
    one_of = { "auto", "right", "left", "above", "below", "tab", "current", "float" },
  },
  ["chat.width"] = { "number" },
  ["chat.height"] = { "number" },
  ["chat.max_steps"] = { "number" },
  debounce = { "number" },
}

local given = nil ---@type foreword.Opts? what setup() was called with
local current = nil ---@type foreword.Config?
local problems = {} ---@type string[]

---@param word string
---@param words string[]
---@return string? nearest the most similar word, where it is similar at all
function M.nearest(word, words)
  local best, least = nil, math.huge
  for _, candidate in ipairs(words) do
    local previous = {}
    for j = 0, #candidate do
      previous[j] = j
    end
    for i = 1, #word do
      local row = { [0] = i }
      for j = 1, #candidate do
        local cost = word:sub(i, i) == candidate:sub(j, j) and 0 or 1
        row[j] = math.min(row[j - 1] + 1, previous[j] + 1, previous[j - 1] + cost)
      end
      previous = row
    end
    if previous[#candidate] < least then
      best, least = candidate, previous[#candidate]
    end
  end
  if best and least <= math.max(2, math.floor(#best / 2)) then
    return best
  end
end

---@param value any
---@param path string
---@param from string where it was written
---@return boolean ok
local function accept(value, path, from)
  local rule = shape[path]
  if not rule then
    local known = vim.tbl_keys(shape)
    table.sort(known)
    local near = M.nearest(path, known)
    table.insert(
      problems,
      ("%s: unknown key %q%s"):format(
        from,
        path,
        near and (", did you mean %q?"):format(near) or ""
      )
    )
    return false
  end
  if not vim.tbl_contains(rule, type(value)) then
    local wanted = table.concat(rule, " or ")
    table.insert(
      problems,
      ("%s: %s must be a %s, not a %s"):format(from, path, wanted, type(value))
    )
    return false
  end
  if rule.one_of and not vim.tbl_contains(rule.one_of, value) then
    local wanted = table.concat(vim.tbl_map(tostring, rule.one_of), ", ")
    table.insert(
      problems,
      ("%s: %s must be one of %s, not %s"):format(from, path, wanted, vim.inspect(value))
    )
    return false
  end
  return true
end

--- Lays the good values over the configuration; the others are named in problems and the value stays as it was.
---@param config table
---@param opts any
---@param from string
local function overlay(config, opts, from)
  if type(opts) == "function" then
    opts = opts()
  end
  if opts == nil then
    return
  end
  if type(opts) ~= "table" then
    table.insert(problems, ("%s must be a table, not a %s"):format(from, type(opts)))
    return
  end
  for key, value in pairs(opts) do
    if accept(value, tostring(key), from) then
      if key == "window" or key == "chat" then
        for inner, setting in pairs(value) do
          if accept(setting, key .. "." .. tostring(inner), from) then
            config[key][inner] = setting
          end
        end
      elseif key == "settings" then
        config.settings = vim.tbl_deep_extend("force", config.settings, value)
      else
        config[key] = value
      end
    end
  end
  table.sort(problems)
end

---@return foreword.Config
function M.get()
  if not current then
    problems = {}
    local config = vim.deepcopy(defaults)
    overlay(config, vim.g.foreword, "vim.g.foreword")
    overlay(config, given, "setup()")
    current = config
    if #problems > 0 then
      vim.schedule(function()
        vim.notify_once("foreword: " .. table.concat(problems, "\nforeword: "), vim.log.levels.WARN)
      end)
    end
  end
  return current
end

--- Replaces what setup() gave before. The values are read when they are next needed.
---@param opts? foreword.Opts
function M.set(opts)
  given = opts
  M.reload()
end

--- Reads the settings again when they are next needed.
function M.reload()
  current = nil
end

---@return string[] problems what is wrong with the configuration, for people
function M.problems()
  M.get()
  return problems
end

---@return string[] names of every setting
function M.keys()
  local keys = vim.tbl_keys(shape)
  table.sort(keys)
  return keys
end

return M
