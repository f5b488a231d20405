--- `:Foreword check`: what is wrong with the instruction files of the workspace, as a list to go through.
local M = {}

local letters = { error = "E", warning = "W", info = "I", hint = "N" }

---@class foreword.CheckOpts
---@field loclist? boolean The location list of the window in place of the quickfix list.
---@field uris? string[] Files and folders; all of the workspace by default.
---@field done? fun(problem: string?, result: foreword.CheckInstructionsResult?) In place of the list.

---@param opts? foreword.CheckOpts
function M.list(opts)
  opts = opts or {}
  local request = require("foreword.request")
  local window = vim.api.nvim_get_current_win()
  local params = { uris = opts.uris }
  request.command(request.target(), "foreword.instructions.check", params, function(problem, result)
    if opts.done then
      return opts.done(problem, result)
    elseif not result then
      return request.tell(problem)
    end
    local what = {
      title = "foreword: what is wrong with the instruction files",
      items = vim.tbl_map(function(found)
        return {
          filename = vim.uri_to_fname(found.uri),
          lnum = found.range.start.line + 1,
          col = found.range.start.character + 1,
          type = letters[found.severity] or "W",
          text = ("%s: %s"):format(found.code, found.message),
        }
      end, result.diagnostics),
    }
    local said = ("%d finding%s in %d instruction file%s"):format(
      #what.items,
      #what.items == 1 and "" or "s",
      result.files,
      result.files == 1 and "" or "s"
    )
    request.tell(said, vim.log.levels.INFO)
    if opts.loclist and vim.api.nvim_win_is_valid(window) then
      vim.fn.setloclist(window, {}, " ", what)
      if #what.items > 0 then
        vim.api.nvim_set_current_win(window)
        vim.cmd.lopen()
      end
    else
      vim.fn.setqflist({}, " ", what)
      if #what.items > 0 then
        vim.cmd.copen()
      end
    end
  end)
end

return M
