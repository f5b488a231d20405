--- How many instruction files apply, in the source buffers themselves: in the winbar, or as a sign on line 1. Off by
--- default; the setting is `count`.
local M = {}

local namespace = vim.api.nvim_create_namespace("foreword.count")
local bar = "%{v:lua.require'foreword'.statusline()}"
local watching = false

--- Shows the count in the windows of a buffer, or takes it away.
---@param bufnr integer
---@param on boolean
local function winbar(bufnr, on)
  for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
    local options = vim.wo[window]
    if on and options.winbar == "" then -- one that somebody else set stays
      options.winbar = bar
    elseif not on and options.winbar == bar then
      options.winbar = ""
    end
  end
end

---@param bufnr integer
---@param counted foreword.InstructionStatus?
local function sign(bufnr, counted)
  if not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  if counted and counted.applies > 0 then
    vim.api.nvim_buf_set_extmark(bufnr, namespace, 0, 0, {
      sign_text = counted.applies < 100 and tostring(counted.applies) or "99",
      sign_hl_group = "Comment",
    })
  end
end

--- Called with every answer of the server about a buffer.
---@param bufnr integer
---@param counted foreword.InstructionStatus?
function M.receive(bufnr, counted)
  if require("foreword.config").get().count == "sign" then
    sign(bufnr, counted)
  end
end

---@param bufnr integer
local function show(bufnr)
  local count = require("foreword.config").get().count
  local attached = require("foreword.client").attached(bufnr)
  winbar(bufnr, count == "winbar" and attached)
  if count == "sign" and attached then
    require("foreword.status").line(bufnr) -- asks, where what is known is old
  else
    sign(bufnr, nil)
  end
end

--- Begins to watch, and shows what is set for a buffer.
---@param bufnr integer
function M.attach(bufnr)
  if not require("foreword.config").get().count and not watching then
    return
  end
  if not watching then
    watching = true
    local group = vim.api.nvim_create_augroup("foreword.count", { clear = true })
    vim.api.nvim_create_autocmd({ "BufWinEnter", "BufEnter", "BufWritePost", "LspDetach" }, {
      group = group,
      callback = function(event)
        vim.schedule(function() -- a client that detaches is still attached in the event
          if vim.api.nvim_buf_is_loaded(event.buf) then
            show(event.buf)
          end
        end)
      end,
    })
  end
  show(bufnr)
end

return M
