--- sidekick with `{instructions}` in its prompts: opts() is laid over the options of its setup().
---
--- Hook that is used (folke/sidekick.nvim, lua/sidekick/cli/context and lua/sidekick/config.lua, 2026-03): functions
--- in `cli.context`, which get { win, buf, cwd, row, col } and give text or false. The tools that sidekick starts have
--- prompts and histories of their own, which nobody outside can set.
local M = {}

local prompt = require("foreword.adapters.prompt")

--- For the option cli.context.instructions.
---@param context { buf?: integer }
---@return string|false text
function M.instructions(context)
  local text = prompt.instructions("sidekick", prompt.uri(context and context.buf))
  return text ~= "" and text or false
end

--- Lays foreword over the options of sidekick's setup().
---@param opts? table of sidekick
---@return table opts
function M.opts(opts)
  return vim.tbl_deep_extend("force", {
    cli = {
      context = { instructions = M.instructions },
      prompts = { instructions = "{instructions}" },
    },
  }, opts or {})
end

return M
