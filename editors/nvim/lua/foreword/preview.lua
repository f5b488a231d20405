--- `:Foreword preview`: the exact prompt for a file, by section, with tokens and origins.
local M = {}

---@param uri string of a file
---@return foreword.Document
function M.document(uri)
  return {
    name = "foreword-preview://" .. vim.uri_to_fname(uri) .. ".prompt.md",
    target = uri,
    live = true,
    fetch = function(done)
      return require("foreword.request").command(
        uri,
        "foreword.prompt.preview",
        { uri = uri },
        function(problem, result)
          done(problem, result and vim.split(result.markdown, "\n", { trimempty = true }))
        end
      )
    end,
  }
end

---@class foreword.OpenOpts
---@field uri? string URI of the file; the current buffer's by default.
---@field path? string In place of uri.
---@field mods? vim.api.keyset.cmd.mods Where the window opens.
---@field opened? fun(bufnr: integer) Called once it is shown.

---@param opts? foreword.OpenOpts
function M.open(opts)
  opts = opts or {}
  local request = require("foreword.request")
  local target, problem = request.target(opts.path, opts.uri)
  if not target then
    return request.tell(problem)
  end
  local document = M.document(target)
  document.mods, document.opened = opts.mods, opts.opened
  require("foreword.view").open(document)
end

return M
