--- The recording provider, for tests in Lua.
local M = {}

local here = vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p"))

--- Starts one.
---@param record string file
---@return { url: string, orders: fun(...: table), received: fun(): table[], stop: fun() }
function M.start(record)
  local said = ""
  local process = vim.system({ "node", here .. "/provider.mjs", record }, {
    stdin = true,
    text = true,
    stdout = function(_, text)
      said = said .. (text or "")
    end,
    stderr = function(_, text)
      io.stderr:write(text or "")
    end,
  })
  assert(
    vim.wait(60000, function()
      return said:find("\n") ~= nil
    end, 20),
    "the provider does not start"
  )
  return {
    url = vim.trim(said),
    orders = function(...)
      for _, order in ipairs({ ... }) do
        process:write(vim.json.encode(order) .. "\n")
      end
    end,
    received = function()
      local list = {}
      for line in io.lines(record) do
        local one = vim.json.decode(line)
        one.body = vim.json.decode(one.text)
        table.insert(list, one)
      end
      return list
    end,
    stop = function()
      process:write(nil)
      process:wait()
    end,
  }
end

return M
