--- Sections that other plugins add to prompts. The server asks for them before a prompt is said.
local M = {}

---@class foreword.Source
---@field name string letters, digits and ._-; a source of the same name takes the place of the one before
---@field provide fun(prompt: foreword.CollectSectionsParams): foreword.CollectSectionsResult? called on the main loop; it must not wait

local sources = {} ---@type foreword.Source[] in the order in which they came

---@param source foreword.Source
---@return fun() remove
function M.register(source)
  if type(source) ~= "table" or not vim.is_callable(source.provide) then
    error("foreword: a source is a table with a name and a function provide", 2)
  end
  if type(source.name) ~= "string" or not source.name:match("^%w[%w._-]*$") then
    error(
      ("foreword: the name of a source has letters, digits and ._-, not %s"):format(
        vim.inspect(source.name)
      ),
      2
    )
  end
  local function remove()
    for i, known in ipairs(sources) do
      if known == source then
        table.remove(sources, i)
        return
      end
    end
  end
  for i, known in ipairs(sources) do
    if known.name == source.name then
      sources[i] = source
      return remove
    end
  end
  table.insert(sources, source)
  return remove
end

--- What all sources add and change. One that fails costs itself.
---@param prompt foreword.CollectSectionsParams
---@return foreword.CollectSectionsResult? nothing where nobody adds anything
function M.collect(prompt)
  local all = { add = {}, edit = {}, remove = {}, warnings = {} }
  -- A callback may take its source back.
  for _, source in ipairs(vim.list_slice(sources)) do
    local ok, given = pcall(source.provide, prompt)
    if not ok or (given ~= nil and type(given) ~= "table") then
      local problem = ok and ("it answers with a %s"):format(type(given)) or tostring(given)
      table.insert(all.warnings, ("the source %s: %s"):format(source.name, problem))
      given = {}
    end
    for _, section in ipairs(given and given.add or {}) do
      local key = source.name .. "/" .. tostring(section.key)
      table.insert(all.add, vim.tbl_extend("force", section, { key = key }))
    end
    for _, part in ipairs({ "edit", "remove", "warnings" }) do
      vim.list_extend(all[part], given and given[part] or {})
    end
  end
  for part, list in pairs(all) do
    if #list == 0 then
      all[part] = nil -- an empty table would be sent as an empty list or an empty object
    end
  end
  return next(all) and all or nil
end

return M
