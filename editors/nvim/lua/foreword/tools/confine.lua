--- Which file a model means, if it really lies in the project.
local M = {}

---@param folder string
---@param path string
---@return boolean
local function within(folder, path)
  return vim.startswith(path, folder:gsub("/$", "") .. "/")
end

--- The real path of a file; of one that is not there, below the nearest folder that is.
---@param path string
---@return string? real
local function real_path(path)
  local real = vim.uv.fs_realpath(path)
  if real then
    return vim.fs.normalize(real)
  end
  -- A link that leads nowhere would be written through.
  local link = vim.uv.fs_readlink(path)
  if link then
    local target = link:sub(1, 1) == "/" and link or vim.fs.dirname(path) .. "/" .. link
    return real_path(vim.fs.normalize(target))
  end
  local parent = vim.fs.dirname(path)
  if parent == path then
    return nil
  end
  local above = real_path(parent)
  return above and above:gsub("/$", "") .. "/" .. vim.fs.basename(path)
end

--- A path without . and .. in it.
---@param path string
---@return string
local function resolved(path)
  local parts = {}
  for part in path:gmatch("[^/]+") do
    if part == ".." then
      table.remove(parts)
    elseif part ~= "." then
      table.insert(parts, part)
    end
  end
  return "/" .. table.concat(parts, "/")
end

--- The absolute path of a file that the model names, if it lies in a folder: where links lead counts, also for a file
--- that is not there yet. What is wrong is said for the model.
---@param name string
---@param folder string absolute
---@return string? path
---@return string? problem
function M.find(name, folder)
  if name:find("%z") then
    return nil, "a path has no zero byte"
  end
  folder = vim.fs.normalize(folder)
  local path = resolved(name:sub(1, 1) == "/" and name or folder .. "/" .. name)
  if not within(folder, path) then
    return nil, name .. " is not in the workspace"
  end
  local real, root = real_path(path), real_path(folder)
  if not real or not root or not within(root, real) then
    return nil, name .. " leads out of the workspace, by a link"
  end
  for part in real:sub(#root + 1):gmatch("[^/]+") do
    if part:lower() == ".git" then
      return nil, name .. " belongs to git itself; it is not edited"
    end
  end
  return path
end

return M
