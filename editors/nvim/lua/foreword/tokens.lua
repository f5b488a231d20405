--- `:Foreword tokens`: what a buffer, or some lines of it, cost a model.
local M = {}

--- The text of lines as the file has it, line ends included.
---@param bufnr integer
---@param first integer from 1
---@param last integer inclusive
---@return string
local function text_of(bufnr, first, last)
  local ends = ({ dos = "\r\n", mac = "\r" })[vim.bo[bufnr].fileformat] or "\n"
  local lines = vim.api.nvim_buf_get_lines(bufnr, first - 1, last, false)
  if vim.api.nvim_buf_line_count(bufnr) == 1 and lines[1] == "" then
    return "" -- an empty buffer is an empty file, though Neovim shows a line
  end
  local closed = last < vim.api.nvim_buf_line_count(bufnr)
    or vim.bo[bufnr].endofline
    or vim.bo[bufnr].fixendofline
  return table.concat(lines, ends) .. (closed and ends or "")
end

---@param number integer
---@param noun string
---@return string 12,345 tokens
local function counted(number, noun)
  local text = tostring(number):reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")
  return ("%s %s%s"):format(text, noun, number == 1 and "" or "s")
end

--- The sentence for an answer.
---@param result foreword.CountTokensResult
---@param what string
---@param bytes integer
---@return string
function M.sentence(result, what, bytes)
  local certainty = result.counter == "exact" and "exact"
    or ("estimate, within %.0f %%"):format(100 * (result.errorBound or 0))
  return ("%s in %s (%s; %s, %s)"):format(
    counted(result.tokens, "token"),
    what,
    counted(bytes, "byte"),
    certainty,
    result.encoding
  )
end

---@class foreword.TokensOpts
---@field first? integer First line, from 1; without it the whole buffer.
---@field last? integer Last line, inclusive.
---@field model? string Whose counter; that of the settings by default.
---@field done? fun(problem: string?, result: foreword.CountTokensResult?) In place of a message.

--- Counts the current buffer.
---@param opts? foreword.TokensOpts
function M.count(opts)
  opts = opts or {}
  local request = require("foreword.request")
  local bufnr = vim.api.nvim_get_current_buf()
  local count = vim.api.nvim_buf_line_count(bufnr)
  local first, last = opts.first or 1, opts.last or count
  local text = text_of(bufnr, first, last)
  local is_file = require("foreword.client").is_file(bufnr)
  local uri = is_file and vim.uri_from_bufnr(bufnr) or nil
  local params = { text = text, model = opts.model }
  request.command(uri, "foreword.tokens.count", params, function(problem, result)
    if opts.done then
      return opts.done(problem, result)
    end
    if not result then
      return request.tell(problem)
    end
    local name = vim.fs.basename(vim.api.nvim_buf_get_name(bufnr))
    name = name ~= "" and name or "this buffer"
    local what = name
    if opts.first then
      what = first == last and ("line %d of %s"):format(first, name)
        or ("lines %d to %d of %s"):format(first, last, name)
    end
    request.tell(M.sentence(result, what, #text), vim.log.levels.INFO)
  end)
end

return M
