--- From a line of a document to the file that it came from.
local M = {}

---@class foreword.Link
---@field uri string
---@field line integer where what was taken from the file begins, from 1

---@param text string a line of a document
---@return foreword.Link[]
local function links(text)
  local found = {}
  for uri, rest in text:gmatch("%]%((file://[^%s)]+)%)([^%[]*)") do
    table.insert(found, { uri = uri, line = tonumber(rest:match("^ lines (%d+) to")) or 1 })
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

--- Goes to the file that the line under the cursor came from.
function M.follow()
  local bufnr, line =
    origin(vim.api.nvim_buf_get_lines(0, 0, vim.api.nvim_win_get_cursor(0)[1], false))
  if not bufnr then
    return require("foreword.request").tell("no file is named here", vim.log.levels.INFO)
  end
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].buflisted = true
  local window = vim.fn.win_findbuf(bufnr)[1]
  if window then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd({ cmd = "sbuffer", args = { bufnr } })
  end
  local last = vim.api.nvim_buf_line_count(bufnr)
  vim.api.nvim_win_set_cursor(0, { math.min(line or 1, last), 0 })
end

return M
