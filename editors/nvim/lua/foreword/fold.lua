--- Folds of a document: one for each section.
local M = {}

--- Fold levels of a Markdown text: a section for each heading of the second level that stands outside a fence.
---@param lines string[]
---@return string[] levels as 'foldexpr' gives them
local function fold_levels(lines)
  local levels, fence, inside = {}, nil, false
  for i, line in ipairs(lines) do
    local mark = line:match("^ ? ? ?(```+)") or line:match("^ ? ? ?(~~~+)")
    if fence then
      if
        mark
        and mark:sub(1, 1) == fence:sub(1, 1)
        and #mark >= #fence
        and line:match("^%s*[`~]+%s*$")
      then
        fence = nil
      end
    elseif mark then
      fence = mark
    elseif line:match("^## ") then
      inside = true
      levels[i] = ">1"
    elseif line:match("^# ") or line == "---" then -- the rule stands at the cache boundary, which no fold may hide
      inside = false
    end
    levels[i] = levels[i] or (inside and "1" or "0")
  end
  return levels
end

--- Levels by buffer, with the change that they belong to: 'foldexpr' is evaluated for every line.
local cache = {} ---@type table<integer, { tick: integer, levels: string[] }>

--- For 'foldexpr'.
---@return string
function M.foldexpr()
  local bufnr = vim.api.nvim_get_current_buf()
  local tick = vim.api.nvim_buf_get_changedtick(bufnr)
  local cached = cache[bufnr]
  if not cached or cached.tick ~= tick then
    cached = { tick = tick, levels = fold_levels(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)) }
    cache[bufnr] = cached
  end
  return cached.levels[vim.v.lnum]
end

--- For 'foldtext': the heading and the number of lines, in text that a screen reader reads.
---@return string
function M.foldtext()
  local count = vim.v.foldend - vim.v.foldstart + 1
  return ("%s  [%d lines folded]"):format(vim.fn.getline(vim.v.foldstart), count)
end

return M
