--- avante with foreword's prompt: opts() is laid over the options of its setup().
---
--- Hooks that are used (yetone/avante.nvim, README.md and lua/avante/config.lua, 2026-08): `system_prompt` as a
--- function, `custom_tools`. There is none for the history, which avante shortens by itself.
local M = {}

local prompt = require("foreword.adapters.prompt")

local key = "avante"

--- For the option system_prompt.
---@return string text empty where the server has not answered yet
function M.system_prompt()
  local text = prompt.system(key, prompt.uri(), {})
  if not text then
    return ""
  end
  return text.changing == "" and text.stable or (text.stable .. "\n\n" .. text.changing)
end

--- A tool by which the model asks for the instructions that hold for a file.
---@type table as avante's option custom_tools takes it
M.tool = {
  name = "project_instructions",
  description = "Gives the project's instructions (AGENTS.md and the like) that hold for a file. "
    .. "Call it before you change a file in a folder that you have not worked in yet.",
  param = {
    type = "table",
    fields = {
      {
        name = "path",
        description = "Path of the file, relative to the project or absolute",
        type = "string",
        optional = false,
      },
    },
  },
  returns = {
    { name = "result", description = "The instructions, outermost first", type = "string" },
    { name = "error", description = "What went wrong", type = "string", optional = true },
  },
  func = function(params)
    local path = params and params.path
    if type(path) ~= "string" or path == "" then
      return nil, "path is missing: name the file that you want the instructions for"
    end
    local full = vim.fs.normalize(vim.fn.fnamemodify(path, ":p"))
    local text = prompt.instructions(key .. "/tool", vim.uri_from_fname(full))
    return text ~= "" and text or "No instruction files apply to this file.", nil
  end,
}

--- Lays foreword over the options of avante's setup().
---@param opts? table of avante
---@return table opts
function M.opts(opts)
  local merged = vim.tbl_extend("force", { system_prompt = M.system_prompt }, opts or {})
  local given = merged.custom_tools
  merged.custom_tools = function()
    local tools = type(given) == "function" and given() or given or {}
    return vim.list_extend({ M.tool }, tools)
  end
  return merged
end

return M
