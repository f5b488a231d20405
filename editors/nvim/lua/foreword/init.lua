--- What other files may call. Nothing has to be called: the plugin works as it is installed.
local M = {}

--- Replaces settings; `vim.g.foreword` does the same without a call. See |foreword-settings|.
---@param opts? foreword.Opts
function M.setup(opts)
  require("foreword.config").set(opts)
end

--- Shows the exact prompt for a file.
---@param opts? foreword.OpenOpts
function M.preview(opts)
  require("foreword.preview").open(opts)
end

--- Shows which instruction files apply to a file and why the others do not.
---@param opts? foreword.OpenOpts
function M.explain(opts)
  require("foreword.explain").open(opts)
end

--- Counts the tokens of the current buffer, or of some of its lines.
---@param opts? foreword.TokensOpts
function M.tokens(opts)
  require("foreword.tokens").count(opts)
end

--- Shows how the requests of two turns differ.
---@param opts? foreword.DiffOpts
function M.diff(opts)
  require("foreword.diff").open(opts)
end

--- Lists what is wrong with the instruction files.
---@param opts? foreword.CheckOpts
function M.check(opts)
  require("foreword.check").list(opts)
end

--- Shows every instruction file of the workspace.
---@param opts? foreword.ListOpts
function M.list(opts)
  require("foreword.list").open(opts)
end

--- A component for a status line: how many instruction files apply to the buffer, and their tokens. It never waits.
---@param bufnr? integer the current buffer by default
---@return string text empty where foreword is not attached
function M.statusline(bufnr)
  return require("foreword.status").line(bufnr)
end

--- Runs any command of the server, for plugins that build on it; the commands are described in docs/commands.md.
---@param command foreword.CommandName
---@param params table
---@param done fun(problem: string?, result: table?) called once, on the main loop
---@return fun() cancel
function M.request(command, params, done)
  return require("foreword.request").command(params.uri, command, params, done)
end

--- Adds sections to every prompt, or edits dynamic ones. The callback is asked before a prompt is said, on the main
--- loop; it gets what would be said and answers at once. See |foreword.register_source()|.
---@param source foreword.Source
---@return fun() remove takes the source back
function M.register_source(source)
  return require("foreword.sources").register(source)
end

return M
