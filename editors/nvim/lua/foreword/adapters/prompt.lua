--- What other panels are given of foreword's prompt: the system text, and the instruction files that apply.
local M = {}

local limited = require("foreword.adapters.limited")

local last_uri = nil ---@type string? what uri() gave last

--- The file that a panel talks about: the buffer that it was opened from, else the one that was looked at last. In a
--- callback of the event loop, where buffers cannot be asked, the one that was given last.
---@param bufnr? integer
---@return string? uri
function M.uri(bufnr)
  if vim.in_fast_event() then
    return last_uri
  end
  local client = require("foreword.client")
  local last = require("foreword.focus").last() or -1
  for _, candidate in ipairs({ bufnr or -1, vim.api.nvim_get_current_buf(), last }) do
    if candidate > 0 and client.is_file(candidate) then
      last_uri = vim.uri_from_bufnr(candidate)
      return last_uri
    end
  end
end

---@class foreword.PanelPrompt
---@field stable string What stays the same within a conversation: core and cacheable sections.
---@field changing string What was so when it was asked: git, date, open files. May be empty.
---@field hash string Changes when the stable part does.

--- The system text for a file, with what the user chose and pinned.
---@param key string of the conversation
---@param uri string?
---@param more? table parameters of the panel: model, provider, tools
---@return foreword.PanelPrompt?
function M.system(key, uri, more)
  local params = require("foreword.preview").params(uri)
  params = vim.tbl_extend("keep", params, more or {})
  local result = limited.ask(key .. "/system", uri, "foreword.prompt.build", params)
  if not result then
    return nil
  end
  local stable, changing = {}, {}
  for _, message in ipairs(result.messages) do
    table.insert(message.layer == "dynamic" and changing or stable, message.content)
  end
  return {
    stable = table.concat(stable, "\n\n"),
    changing = table.concat(changing, "\n\n"),
    hash = result.fingerprint.prefix,
  }
end

--- The instruction files that apply to a file, as the model is sent them.
---@param key string
---@param uri string?
---@return string text empty where there are none
function M.instructions(key, uri)
  if not uri then
    return ""
  end
  local result = limited.ask(key .. "/" .. uri, uri, "foreword.instructions.explain", { uri = uri })
  return result and result.text or ""
end

return M
