--- Files that the user pinned: they go with every prompt, as `attachments`, until they are taken off.
local M = {}

local pinned = {} ---@type string[] URIs, in the order in which they were pinned
local listeners = {} ---@type fun()[]

local function changed()
  for _, listener in ipairs(vim.list_slice(listeners)) do
    listener()
  end
end

--- The URIs of the pinned files, first pinned first.
---@return string[]
function M.list()
  return vim.list_slice(pinned)
end

---@param uri string
---@return boolean
function M.has(uri)
  return vim.tbl_contains(pinned, uri)
end

---@param uri string of a file
---@return boolean added false where it was pinned already
function M.add(uri)
  if M.has(uri) then
    return false
  end
  table.insert(pinned, uri)
  changed()
  return true
end

---@param uri string of a file
---@return boolean removed false where it was not pinned
function M.remove(uri)
  for i, known in ipairs(pinned) do
    if known == uri then
      table.remove(pinned, i)
      changed()
      return true
    end
  end
  return false
end

--- Takes all of them off.
function M.clear()
  if #pinned > 0 then
    pinned = {}
    changed()
  end
end

--- Calls a function after every change.
---@param listener fun()
---@return fun() remove
function M.on_change(listener)
  table.insert(listeners, listener)
  return function()
    for i, known in ipairs(listeners) do
      if known == listener then
        return table.remove(listeners, i)
      end
    end
  end
end

--- Adds the pinned files to the attachments of a command that builds a prompt, before those that it has.
---@generic T: table
---@param params T
---@return T
function M.apply(params)
  if #pinned > 0 then
    local all = M.list()
    for _, uri in ipairs(params.attachments or {}) do
      if not vim.tbl_contains(all, uri) then
        table.insert(all, uri)
      end
    end
    params.attachments = all
  end
  return params
end

return M
