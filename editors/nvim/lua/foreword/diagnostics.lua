--- Tells the server what problems Neovim shows in the files it has, from whatever server or linter.
local M = {}

--- Milliseconds of rest after which they are told: several servers and linters report one edit.
local rest = 200

local severities = {
  [vim.diagnostic.severity.ERROR] = "error",
  [vim.diagnostic.severity.WARN] = "warning",
  [vim.diagnostic.severity.INFO] = "info",
  [vim.diagnostic.severity.HINT] = "hint",
}

local watching = false
local waiting = {} ---@type table<integer, boolean> buffers of which the server must be told
local due = 0 -- counts the changes; only the last one's timer tells
local told = {} ---@type table<integer, integer> by buffer, the client that knows of problems there

--- The character of a place as the client counts it; Neovim counts bytes.
---@param encoding string
---@param bufnr integer
---@param lnum integer
---@param col integer
---@return integer
local function character(encoding, bufnr, lnum, col)
  local line = encoding ~= "utf-8" and vim.api.nvim_buf_get_lines(bufnr, lnum, lnum + 1, false)[1]
  if not line then
    return col
  end
  local utf32, utf16 = vim.str_utfindex(line, math.min(col, #line))
  return encoding == "utf-16" and utf16 or utf32
end

---@param client vim.lsp.Client
---@param bufnr integer
---@return table[] as foreword/didChangeDiagnostics takes them
local function shown(client, bufnr)
  local list = {}
  local function place(lnum, col)
    lnum, col = math.max(lnum, 0), math.max(col, 0)
    return { line = lnum, character = character(client.offset_encoding, bufnr, lnum, col) }
  end
  for _, d in ipairs(vim.diagnostic.get(bufnr)) do
    table.insert(list, {
      range = {
        start = place(d.lnum, d.col),
        ["end"] = place(d.end_lnum or d.lnum, d.end_col or d.col),
      },
      severity = severities[d.severity] or "error",
      message = d.message,
      source = d.source,
      code = d.code and tostring(d.code) or nil,
    })
  end
  return list
end

local function tell()
  local client = require("foreword.client").get()
  if not client or not client.initialized then
    return -- a client that starts is told when a buffer is attached
  end
  local buffers = vim.tbl_keys(waiting)
  table.sort(buffers)
  waiting = {}
  for _, bufnr in ipairs(buffers) do
    if vim.api.nvim_buf_is_loaded(bufnr) and client.attached_buffers[bufnr] then
      local list = shown(client, bufnr)
      if #list > 0 or told[bufnr] == client.id then
        told[bufnr] = #list > 0 and client.id or nil
        require("foreword.client").notify(client, "foreword/didChangeDiagnostics", {
          uri = vim.uri_from_bufnr(bufnr),
          version = vim.lsp.util.buf_versions[bufnr],
          diagnostics = list,
        })
      end
    end
  end
end

---@param bufnr integer
local function soon(bufnr)
  waiting[bufnr] = true
  due = due + 1
  local mine = due
  vim.defer_fn(function()
    if mine == due then
      tell()
    end
  end, rest)
end

--- Begins to watch, and tells what is shown in a buffer that the server has got.
---@param bufnr integer
function M.watch(bufnr)
  if not watching then
    watching = true
    vim.api.nvim_create_autocmd("DiagnosticChanged", {
      group = vim.api.nvim_create_augroup("foreword.diagnostics", { clear = true }),
      callback = function(event)
        soon(event.buf)
      end,
    })
  end
  told[bufnr] = nil -- a file that is opened again has no problems yet
  soon(bufnr)
end

return M
