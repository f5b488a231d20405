--- The chat panel's @ as a source for blink.cmp:
--- sources = { providers = { foreword = { name = "foreword", module = "foreword.completion.blink" } } }
--- The interface is that of Saghen/blink.cmp, doc/development/source-boilerplate.md, 2026.
local source = require("foreword.completion.source")

local M = {}
M.__index = M

---@return table
function M.new()
  return setmetatable({}, M)
end

---@return boolean
function M:enabled()
  return source.enabled(vim.api.nvim_get_current_buf())
end

---@return string[]
function M:get_trigger_characters()
  return { "@", ":", "/" }
end

---@param context { line: string, cursor: integer[] } cursor is row from 1, column from 0
---@param callback fun(response: table)
function M:get_completions(context, callback)
  local items = source.items(context.cursor[1] - 1, context.line:sub(1, context.cursor[2]))
  -- Another letter asks again: the panel looks for files by what is typed.
  callback({ items = items, is_incomplete_forward = true, is_incomplete_backward = true })
end

return M
