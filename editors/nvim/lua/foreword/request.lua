--- One command of the server, asked and answered, with errors as people read them.
local M = {}

--- What to do about the failures that have a remedy here.
local remedies = {
  needs_trust = ":Foreword trust allows it for this folder",
  not_in_workspace = "open the file from inside a project, or :cd to it",
}

--- The sentence for a failed request.
---@param err lsp.ResponseError|string
---@return string
function M.message(err)
  if type(err) == "string" then
    return err
  end
  local remedy = type(err.data) == "table" and remedies[err.data.code]
  return err.message .. (remedy and ("; " .. remedy) or "")
end

--- Tells the user of a failure, or of something done.
---@param text string
---@param level? integer vim.log.levels, ERROR by default
function M.tell(text, level)
  vim.notify("foreword: " .. text, level or vim.log.levels.ERROR)
end

--- Runs a command of the server. done is called once, on the main loop, and not at all after a cancel.
---@param uri string? the file that it is about; the server is started for it if need be
---@param command foreword.CommandName
---@param params table
---@param done fun(problem: string?, result: table?)
---@return fun() cancel
function M.command(uri, command, params, done)
  return M.send(uri, "workspace/executeCommand", {
    command = command,
    arguments = { next(params) and params or vim.empty_dict() },
  }, function(problem, result)
    if command == "foreword.turn.prepare" and result then
      require("foreword.turns").record(params, result)
    end
    done(problem, result)
  end)
end

--- Sends any request, in the way of command().
---@param uri string?
---@param method string
---@param params table
---@param done fun(problem: string?, result: table?)
---@return fun() cancel
function M.send(uri, method, params, done)
  local client = require("foreword.client")
  local cancelled = false
  local undo = nil ---@type fun()?
  client.ready(uri, function(server, reason)
    if cancelled then
      return
    end
    if not server then
      return done(reason)
    end
    local sent, id = client.request(server, method, params, function(err, result)
      if cancelled then
        return
      end
      if err then
        done(M.message(err))
      else
        done(nil, result)
      end
    end)
    if not sent then
      return done("the server has ended; :Foreword restart starts it again")
    end
    undo = function()
      client.cancel(server, id)
    end
  end)
  return function()
    cancelled = true
    if undo then
      undo()
    end
  end
end

--- The file that a command is about: the one that was named, that of a document of foreword, or the buffer's.
---@param path? string as typed on the command line
---@param uri? string in place of path
---@return string? uri
---@return string? problem
function M.target(path, uri)
  if uri then
    return uri
  end
  if path and path ~= "" then
    local full = vim.fs.normalize(vim.fn.fnamemodify(vim.fn.expand(path), ":p"))
    if not vim.uv.fs_stat(full) and vim.fn.bufloaded(full) == 0 then
      return nil, "there is no file " .. full
    end
    return vim.uri_from_fname(full)
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local shown = require("foreword.view").target(bufnr)
  if shown then
    return shown
  end
  local is_file, why_not = require("foreword.client").is_file(bufnr)
  if not is_file then
    return nil, why_not
  end
  return vim.uri_from_bufnr(bufnr)
end

return M
