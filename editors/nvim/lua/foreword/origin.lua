--- From a line of a document to the file that it came from.
local M = {}

---@class foreword.Link
---@field uri string
---@field line integer where what was taken from the file begins, from 1

---@param text string a line of a document
---@return foreword.Link[]
local function links(text)
  local found = {}
  for target, rest in text:gmatch("%](%b())([^%[]*)") do -- balanced: a path may hold parentheses
    local uri = target:match("^%((file://%S+)%)$")
    if uri then
      table.insert(found, { uri = uri, line = tonumber(rest:match("^ lines (%d+) to")) or 1 })
    end
  end
  return found
end

--- The place that a line of a document came from: a line with the same text in a file that its section names, else
--- the place that the section names first.
---@param lines string[] of the document, as far as the cursor
---@return integer? bufnr
---@return integer? line
local function origin(lines)
  local row = #lines
  for i = row, 1, -1 do
    local named = links(lines[i])
    for _, link in ipairs(i < row and lines[row] ~= "" and named or {}) do
      local bufnr = vim.uri_to_bufnr(link.uri)
      vim.fn.bufload(bufnr)
      for number, text in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)) do
        if number >= link.line and text == lines[row] then
          return bufnr, number
        end
      end
    end
    if #named > 0 then
      return vim.uri_to_bufnr(named[1].uri), named[1].line
    elseif i < row and lines[i]:match("^## ") then
      return
    end
  end
end

--- Shows a file as a quickfix window does: in the window that has it, in the one before this, or in a new one.
---@param bufnr integer
local function show(bufnr)
  local here = vim.api.nvim_tabpage_list_wins(0)
  for _, window in ipairs(here) do
    if vim.api.nvim_win_get_buf(window) == bufnr then
      return vim.api.nvim_set_current_win(window)
    end
  end
  local before = vim.fn.win_getid(vim.fn.winnr("#"))
  if vim.tbl_contains(here, before) and vim.bo[vim.api.nvim_win_get_buf(before)].buftype == "" then
    vim.api.nvim_set_current_win(before)
    return vim.cmd({ cmd = "buffer", args = { bufnr } })
  end
  vim.cmd({ cmd = "sbuffer", args = { bufnr } })
end

--- Goes to the file that the line under the cursor came from.
function M.follow()
  local bufnr, line =
    origin(vim.api.nvim_buf_get_lines(0, 0, vim.api.nvim_win_get_cursor(0)[1], false))
  if not bufnr then
    return require("foreword.request").tell("no file is named here", vim.log.levels.INFO)
  end
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].buflisted = true
  show(bufnr)
  local last = vim.api.nvim_buf_line_count(bufnr)
  vim.api.nvim_win_set_cursor(0, { math.min(line or 1, last), 0 })
end

return M
