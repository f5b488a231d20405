--- CopilotChat with foreword's prompt and history: opts() is laid over the options of its setup().
---
--- Hooks that are used (CopilotC-Nvim/CopilotChat.nvim, lua/CopilotChat/client.lua and lua/CopilotChat/config/
--- functions.lua, 2026-06): a provider's prepare_input(inputs, opts), functions with uri and resolve.
local M = {}

local limited = require("foreword.adapters.limited")
local prompt = require("foreword.adapters.prompt")

local key = "copilotchat"

---@param inputs table[] { role, content, tool_calls?, tool_call_id? }
---@return foreword.Message[]
local function to_server(inputs)
  local list = {}
  for index, input in ipairs(inputs) do
    local message = {
      id = tostring(index),
      role = input.role,
      content = input.content or "",
      pinned = input.role == "system" or nil,
      toolCallID = input.tool_call_id,
      copilotchat = index,
    }
    if input.tool_calls and #input.tool_calls > 0 then
      message.toolCalls = vim.tbl_map(function(call)
        return { id = call.id, name = call.name, arguments = call.arguments }
      end, input.tool_calls)
    end
    table.insert(list, message)
  end
  return list
end

--- The messages with foreword's system text before CopilotChat's own, and a history that fits.
---@param inputs table[]
---@param model? string
---@return table[] inputs another list; what is given stays as it is
function M.prepare(inputs, model)
  local uri = prompt.uri()
  local text = prompt.system(key, uri, { model = model })
  local list = vim.list_slice(inputs)
  if text then
    table.insert(list, 1, { role = "system", content = text.stable })
    if text.changing ~= "" then
      local last_system = 1
      while list[last_system + 1] and list[last_system + 1].role == "system" do
        last_system = last_system + 1
      end
      table.insert(list, last_system + 1, { role = "system", content = text.changing })
    end
  end
  local params = { messages = to_server(list), model = model }
  local result, fresh = limited.ask(key .. "/history", uri, "foreword.history.prepare", params)
  if not fresh or not result or result.report.status ~= "trimmed" then
    return list
  end
  return vim.tbl_map(function(message)
    local old = message.copilotchat and list[message.copilotchat]
    if old and (type(message.content) ~= "string" or message.content == old.content) then
      return old
    end
    return vim.tbl_extend(
      "force",
      old or { role = message.role, tool_call_id = message.toolCallID },
      {
        content = message.content,
      }
    )
  end, result.messages)
end

--- CopilotChat asks from a coroutine of plenary, which may be in a callback of the event loop: back to the main loop.
local function to_main_loop()
  if vim.in_fast_event() and coroutine.running() then
    local ok, util = pcall(require, "plenary.async.util")
    if ok then
      util.scheduler()
    end
  end
end

--- A provider's prepare_input with ours before it.
---@param original fun(inputs: table[], opts: table): ...
---@return fun(inputs: table[], opts: table): ...
function M.prepare_input(original)
  return function(inputs, opts)
    to_main_loop()
    local model = opts and opts.model and opts.model.id
    return original(M.prepare(inputs, model), opts)
  end
end

--- The resource `#agents`: the instruction files that apply to the file in focus.
M.agents = {
  uri = "foreword://agents",
  description = "The instruction files (AGENTS.md and the like) that apply to the current file, by foreword.",
  resolve = function(_, source)
    local bufnr = source and source.bufnr
    local text = prompt.instructions(key .. "/agents", prompt.uri(bufnr))
    return {
      {
        uri = "foreword://agents",
        mimetype = "text/markdown",
        data = text ~= "" and text or "No instruction files apply here.",
      },
    }
  end,
}

--- Lays foreword over the options of CopilotChat's setup(): the resource, the files that it reads itself left out
--- since foreword tells them, and prepare_input of the providers that are named.
---@param opts? table of CopilotChat
---@return table opts
function M.opts(opts)
  local merged = vim.tbl_deep_extend("force", { functions = { agents = M.agents } }, opts or {})
  merged.instruction_files = merged.instruction_files or {}
  for name, provider in pairs(merged.providers or { copilot = {} }) do
    local original = provider.prepare_input
    if not original then
      local ok, defaults = pcall(require, "CopilotChat.config.providers")
      original = ok and type(defaults[name]) == "table" and defaults[name].prepare_input or nil
    end
    if original then
      merged.providers = merged.providers or {}
      merged.providers[name] = vim.tbl_extend("force", provider, {
        prepare_input = M.prepare_input(original),
      })
    end
  end
  return merged
end

return M
