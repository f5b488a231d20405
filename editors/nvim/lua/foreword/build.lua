--- `:Foreword build`: builds the program from the repository that the plugin is in.
local M = {}

--- The top of the repository: the plugin is its folder editors/nvim.
---@return string
local function top()
  local source = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")
  return vim.fs.normalize(vim.fn.fnamemodify(source, ":h:h:h:h:h"))
end

--- Builds, then says what came of it. A plugin manager may call it as its build step.
---@param done? fun(problem: string?)
function M.run(done)
  local request = require("foreword.request")
  local function finish(problem)
    if problem then
      request.tell(problem)
    else
      request.tell("the program is built; :Foreword restart uses it", vim.log.levels.INFO)
    end
    if done then
      done(problem)
    end
  end
  local folder = top()
  if not vim.uv.fs_stat(folder .. "/cmd/foreword") then
    return finish(
      ("%s is not the repository of foreword, so there is nothing to build; install the program and set cmd"):format(
        folder
      )
    )
  elseif vim.fn.executable("go") == 0 then
    return finish(
      "Go is not on $PATH; install it from https://go.dev/dl/, or set cmd to a program that is built"
    )
  end
  request.tell("building …", vim.log.levels.INFO)
  vim.system({ "go", "build", "./cmd/foreword" }, {
    cwd = folder,
    text = true,
    env = { CGO_ENABLED = "0" },
  }, function(result)
    vim.schedule(function()
      finish(
        result.code ~= 0
            and ("go build ended with code %d: %s"):format(
              result.code,
              vim.trim(result.stderr or "")
            )
          or nil
      )
    end)
  end)
end

return M
