--- `:Foreword trust`: the user's own list of folders whose files may ask for more than to be read.
local M = {}

---@return string? folder path of the project that the current buffer, or the file looked at last, belongs to
---@return string? problem
local function folder()
  local request = require("foreword.request")
  local uri, problem = request.target()
  if not uri then
    local last = require("foreword.focus").last()
    if not last then
      return nil, problem
    end
    uri = vim.uri_from_bufnr(last)
  end
  local path = vim.uri_to_fname(uri)
  local root = require("foreword.client").root(path)
  if not root then
    return nil, ("%s belongs to no project; nothing was changed"):format(path)
  end
  return root
end

---@param root string
---@param trusted boolean
---@param done? fun(problem: string?)
local function change(root, trusted, done)
  local request, client = require("foreword.request"), require("foreword.client")
  local uri = vim.uri_from_fname(root)
  request.command(nil, "foreword.trust", { folder = uri, trusted = trusted }, function(problem)
    if problem then
      request.tell(problem)
    else
      local server = client.get()
      if server then
        client.notify(server, "foreword/didChangeTrust", { folder = uri, trusted = trusted })
      end
      require("foreword.status").forget()
      require("foreword.view").touch()
      local said = trusted and "%s is trusted now" or "%s is no longer trusted"
      request.tell(said:format(root), vim.log.levels.INFO)
    end
    if done then
      done(problem)
    end
  end)
end

local question = [[
Trust %s and everything in it?

In a trusted folder the files of the project may make foreword
run commands, fetch addresses and read files outside the project.
Without trust its instruction files are read all the same.]]

--- Asks, then trusts the project of the current file.
---@param done? fun(problem: string?)
function M.grant(done)
  local root, problem = folder()
  if not root then
    return require("foreword.request").tell(problem)
  end
  if vim.fn.confirm(question:format(root), "&Trust\n&Cancel", 2, "Question") == 1 then
    change(root, true, done)
  elseif done then
    done("cancelled")
  end
end

--- Takes the project of the current file off the list.
---@param done? fun(problem: string?)
function M.revoke(done)
  local root, problem = folder()
  if not root then
    return require("foreword.request").tell(problem)
  end
  change(root, false, done)
end

--- Shows the list.
function M.list()
  local request = require("foreword.request")
  request.command(nil, "foreword.trust", {}, function(problem, result)
    if not result then
      return request.tell(problem)
    end
    local lines = vim.tbl_map(function(entry)
      return ("%s (since %s)"):format(entry.path, entry.since)
    end, result.folders or {})
    if #lines == 0 then
      return request.tell("no folder is trusted", vim.log.levels.INFO)
    end
    request.tell("trusted folders:\n" .. table.concat(lines, "\n"), vim.log.levels.INFO)
  end)
end

return M
