--- Tells the server which file the user looks at, so that its guesses begin there.
local M = {}

local watching = false
local last = nil ---@type integer? the newest buffer that is a file
local told = nil ---@type string? what was last sent, to send it once

---@return string[] uris of the files that can be seen in this tab page
local function visible()
  local uris = {}
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local bufnr = vim.api.nvim_win_get_buf(window)
    if require("foreword.client").attached(bufnr) then
      uris[vim.uri_from_bufnr(bufnr)] = true
    end
  end
  local sorted = vim.tbl_keys(uris)
  table.sort(sorted)
  return sorted
end

local function tell()
  local client = require("foreword.client").get()
  local bufnr = vim.api.nvim_get_current_buf()
  if not client or not client.initialized or not client.attached_buffers[bufnr] then
    return
  end
  last = bufnr
  local params = { uri = vim.uri_from_bufnr(bufnr), visible = visible() }
  local key = client.id .. vim.json.encode(params)
  if key ~= told then
    told = key
    require("foreword.client").notify(client, "foreword/didFocus", params)
  end
end

--- The buffer that the user looked at last, when the current one is no file.
---@return integer?
function M.last()
  return last and vim.api.nvim_buf_is_valid(last) and last or nil
end

--- Begins to watch; more calls tell the present focus.
function M.watch()
  if not watching then
    watching = true
    vim.api.nvim_create_autocmd({ "BufEnter", "FocusGained", "WinClosed" }, {
      group = vim.api.nvim_create_augroup("foreword.focus", { clear = true }),
      callback = function()
        vim.schedule(tell) -- after a change of several windows, and never in the way of one
      end,
    })
  end
  vim.schedule(tell)
end

return M
