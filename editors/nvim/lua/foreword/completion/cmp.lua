--- The chat panel's @ as a source for nvim-cmp:
--- require("cmp").register_source("foreword", require("foreword.completion.cmp").new())
--- The interface is that of hrsh7th/nvim-cmp, doc/cmp.txt, cmp-develop, 2026.
local source = require("foreword.completion.source")

local M = {}
M.__index = M

---@return table
function M.new()
  return setmetatable({}, M)
end

---@return string
function M:get_debug_name()
  return "foreword"
end

---@return boolean
function M:is_available()
  return source.enabled(vim.api.nvim_get_current_buf())
end

---@return string[]
function M:get_trigger_characters()
  return { "@", ":", "/" }
end

--- A word begins with its @ and ends at a blank.
---@return string
function M:get_keyword_pattern()
  return [[@\S*]]
end

---@param params { context: { cursor: { row: integer }, cursor_before_line: string } }
---@param callback fun(response: table)
function M:complete(params, callback)
  local context = params.context
  local items = source.items(context.cursor.row - 1, context.cursor_before_line)
  callback({ items = items, isIncomplete = true })
end

return M
