--- The tool edit: changes a file, after the user saw the change.
local server = require("foreword.chat.server")

local M = {}

---@type foreword.Tool
M.definition = {
  name = "edit",
  description = "Changes a file of the workspace, or writes a new one. The user sees the change beside the file and"
    .. " takes it, whole or in parts, or leaves it; what is taken stands in the editor and is not saved yet.",
  parameters = {
    type = "object",
    properties = {
      path = { type = "string", description = "Path of the file, relative to the workspace." },
      old = {
        type = "string",
        description = "The lines that are to be replaced, exactly as they stand in the file; empty for a new file.",
      },
      new = { type = "string", description = "What takes their place." },
      all = {
        type = "boolean",
        description = "Replace every place where the lines stand; without it there must be one.",
      },
    },
    required = { "path", "old", "new" },
    additionalProperties = false,
  },
}

---@class foreword.Replacement
---@field path string
---@field old string
---@field new string
---@field all boolean

--- Reads the arguments; what is wrong with them is said for the model.
---@param arguments any
---@return foreword.Replacement?
---@return string? problem
local function replacement_of(arguments)
  if type(arguments) ~= "table" then
    return nil, 'the arguments must be an object with "path", "old" and "new"'
  end
  local path, old, new, all = arguments.path, arguments.old, arguments.new, arguments.all
  if type(path) ~= "string" or vim.trim(path) == "" then
    return nil, '"path" must be the path of a file in the workspace'
  elseif old ~= nil and type(old) ~= "string" then
    return nil, '"old" must be a text'
  elseif type(new) ~= "string" then
    return nil, '"new" must be a text'
  elseif all ~= nil and type(all) ~= "boolean" then
    return nil, '"all" must be true or false'
  end
  return { path = path, old = old or "", new = new, all = all or false }
end

--- The text after a replacement; what the model has to do better is an error.
---@param text string? nil where there is no file
---@param wanted foreword.Replacement
---@return string? after
---@return string? problem
function M.replace(text, wanted)
  local path, old, new = wanted.path, wanted.old, wanted.new
  if text == nil or text == "" then
    if old == "" then
      return new
    end
    return nil,
      text and ('%s is empty; leave "old" empty to fill it'):format(path)
        or ('there is no file %s; to write one, leave "old" empty'):format(path)
  elseif old == "" then
    return nil, ('%s exists; give in "old" the lines that are to be replaced'):format(path)
  elseif old == new then
    return nil, '"old" and "new" are the same; nothing would change'
  end
  -- Neovim has the lines of a file with \n, whatever they end with on the disk.
  old, new = old:gsub("\r\n", "\n"), new:gsub("\r\n", "\n")
  local pieces, at = {}, 1
  while true do
    local first, last = text:find(old, at, true)
    if not first then
      break
    end
    table.insert(pieces, text:sub(at, first - 1))
    at = last + 1
  end
  if #pieces == 0 then
    return nil,
      ('"old" does not stand in %s as it is given; read the file and copy the lines with their blanks'):format(
        path
      )
  elseif #pieces > 1 and not wanted.all then
    return nil,
      ('"old" stands in %s %d times; give more lines round it, or set "all"'):format(path, #pieces)
  end
  table.insert(pieces, text:sub(at))
  return table.concat(pieces, new)
end

--- Whether an agent may edit a file; the path is relative to the project.
---@param conversation foreword.Conversation
---@param path string
---@return boolean
function M.allowed(conversation, path)
  if conversation.agent == "explore" then
    return false
  end
  local plans = conversation.agent == "plan" or conversation.mode == "plan"
  return not plans or path:match("^%.foreword/plans/[^/]+%.md$") ~= nil
end

---@param path string
---@return integer? bufnr
---@return string? problem
local function buffer_of(path)
  local bufnr = vim.fn.bufadd(path)
  local ok, problem = pcall(vim.fn.bufload, bufnr)
  if not ok then
    return nil, ("%s cannot be opened: %s"):format(path, problem)
  end
  vim.bo[bufnr].buflisted = true
  if not vim.bo[bufnr].modifiable then
    return nil, ("the buffer of %s cannot be changed"):format(path)
  elseif vim.bo[bufnr].readonly then
    return nil, ("%s is read-only"):format(path)
  end
  return bufnr
end

---@param bufnr integer
---@return string
local function text_of(bufnr)
  return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), "\n")
    .. (vim.bo[bufnr].endofline and "\n" or "")
end

--- Runs a call and writes what came of it into the entry.
---@param task foreword.Task
---@param conversation foreword.Conversation
---@param entry foreword.Entry
---@param become fun(state: string, output: string)
function M.run(task, conversation, entry, become)
  local wanted, problem = replacement_of(entry.arguments)
  if not wanted then
    return become("failed", problem .. ".")
  end
  local root = conversation.root and vim.uri_to_fname(conversation.root) or vim.fn.getcwd()
  local path
  path, problem = require("foreword.tools.confine").find(wanted.path, root)
  if not path then
    return become("failed", problem .. ".")
  end
  local relative = path:sub(#vim.fs.normalize(root) + 2)
  entry.title = "edit " .. relative
  if not M.allowed(conversation, relative) then
    local who = conversation.mode == "plan" and "In plan mode nothing" or "With this agent nothing"
    return become("denied", ("%s but a plan may be edited, and %s is none."):format(who, relative))
  end
  local exists = vim.uv.fs_stat(path) ~= nil or vim.fn.bufloaded(path) == 1
  local bufnr
  bufnr, problem = buffer_of(path)
  if not bufnr then
    return become("failed", problem .. ".")
  end
  local before = text_of(bufnr)
  local after
  after, problem = M.replace(exists and before ~= "\n" and before or nil, wanted)
  if not after then
    return become("failed", problem .. ".")
  end
  local lines = vim.split(after, "\n", { plain = true })
  if lines[#lines] == "" then
    table.remove(lines)
  end
  local taken, refused
  if conversation.allowed.edit then
    vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
    taken, refused = 1, 0
  else
    become("asking", "")
    taken, refused = task:wait(function(resume)
      return require("foreword.chat.review").open(bufnr, lines, resume)
    end)
  end
  if task.stopped or taken == 0 then
    return become(
      "denied",
      ("The user did not take the change of %s. Ask what they want instead."):format(relative)
    )
  end
  local uri = vim.uri_from_fname(path)
  local _, result = server.call(task, conversation.uri, "foreword.context.touch", {
    session = conversation.id,
    message = entry.id,
    uris = { uri },
    kind = "edit",
  })
  if result and #result.injections > 0 then
    local notes = require("foreword.chat.notes")
    entry.notes = { notes.injected(notes.files(result.injections)) }
  end
  local part = refused > 0
      and ("The user took %d of %d parts of the change of %s; read the file before you go on."):format(
        taken,
        taken + refused,
        relative
      )
    or ("The user took the change of %s."):format(relative)
  become("done", part .. " It stands in the editor and is not saved yet.")
end

return M
