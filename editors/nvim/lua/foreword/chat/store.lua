--- Conversations on disk: one file each, so that a damaged one costs only itself.
local M = {}

---@return string
function M.folder()
  return vim.fn.stdpath("state") .. "/foreword/chats"
end

---@param id string
---@return string
local function path_of(id)
  return ("%s/%s.json"):format(M.folder(), (id:gsub("[^%w_-]", "_")))
end

local told = false ---@type boolean that it could not be stored; once is enough while the user goes on

--- Stores a conversation: written beside, then moved over the old one, so that there is never half a file.
---@param conversation foreword.Conversation
---@return boolean ok
function M.save(conversation)
  local folder = M.folder()
  local path = path_of(conversation.id)
  local ok, problem = pcall(function()
    vim.fn.mkdir(folder, "p", 448) -- 0700
    local beside = ("%s.%d"):format(path, vim.uv.os_getpid())
    local file = assert(vim.uv.fs_open(beside, "w", 384)) -- 0600
    local text = vim.json.encode(conversation)
    local written = assert(vim.uv.fs_write(file, text))
    vim.uv.fs_close(file)
    assert(written == #text, "the disk is full")
    assert(vim.uv.fs_rename(beside, path))
  end)
  if not ok and not told then
    told = true
    require("foreword.request").tell(
      ("the conversation could not be stored in %s: %s; it goes on here, :Foreword chat export keeps it"):format(
        folder,
        problem
      ),
      vim.log.levels.WARN
    )
  end
  told = not ok
  return ok
end

---@param path string
---@return foreword.Conversation?
---@return string? problem
local function read(path)
  local file, problem = io.open(path, "rb")
  if not file then
    return nil, problem
  end
  local text = file:read("*a")
  file:close()
  local ok, value = pcall(vim.json.decode, text, { luanil = { object = true, array = true } })
  if
    not ok
    or type(value) ~= "table"
    or type(value.id) ~= "string"
    or type(value.entries) ~= "table"
    or value.version ~= 1
  then
    return nil, "it is damaged, or of a newer foreword"
  end
  for _, entry in ipairs(value.entries) do
    if type(entry) ~= "table" or type(entry.id) ~= "string" or type(entry.kind) ~= "string" then
      return nil, "it is damaged"
    end
  end
  for key, default in pairs({ branches = {}, allowed = {}, draft = "", title = "", updated = "" }) do
    if type(value[key]) ~= type(default) then
      value[key] = default
    end
  end
  return value
end

---@param id string
---@return foreword.Conversation?
---@return string? problem
function M.load(id)
  local path = path_of(id)
  local conversation, problem = read(path)
  if not conversation then
    return nil,
      ("the conversation %s cannot be read: %s; it stays where it is, the others are not touched"):format(
        path,
        problem
      )
  end
  return conversation
end

---@class foreword.Stored
---@field conversation? foreword.Conversation
---@field path string
---@field problem? string

--- All conversations, the newest first; damaged ones at the end with what is wrong.
---@return foreword.Stored[]
function M.list()
  local list = {}
  for name, kind in vim.fs.dir(M.folder()) do
    if kind == "file" and name:match("%.json$") then
      local path = M.folder() .. "/" .. name
      local conversation, problem = read(path)
      table.insert(list, { conversation = conversation, path = path, problem = problem })
    end
  end
  table.sort(list, function(a, b)
    local x, y = a.conversation, b.conversation
    if x and y and x.updated ~= y.updated then
      return x.updated > y.updated
    elseif (x == nil) ~= (y == nil) then
      return x ~= nil
    end
    return a.path < b.path
  end)
  return list
end

---@param id string
function M.delete(id)
  vim.uv.fs_unlink(path_of(id))
end

return M
