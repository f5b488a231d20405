--- Commands of the server as a task waits for them, with the code of an error beside its sentence.
local M = {}

---@class foreword.ServerProblem
---@field message string
---@field code? foreword.ErrorCode

--- Runs a command. Gives a problem, or nil and the result; nothing of both when the task was stopped.
---@param task foreword.Task
---@param uri string?
---@param command foreword.CommandName
---@param params table
---@return foreword.ServerProblem?
---@return table? result
function M.call(task, uri, command, params)
  local problem, result = task:wait(function(resume)
    return M.send(uri, command, params, resume)
  end)
  if problem == require("foreword.chat.task").STOPPED then
    return nil, nil
  end
  return problem, result
end

--- The same for those who do not wait.
---@param uri string?
---@param command foreword.CommandName
---@param params table
---@param done fun(problem: foreword.ServerProblem?, result: table?)
---@return fun() cancel
function M.send(uri, command, params, done)
  local client = require("foreword.client")
  local request = require("foreword.request")
  local over, undo = false, nil ---@type boolean, fun()?
  local function finish(problem, result)
    if not over then
      over = true
      done(problem, result)
    end
  end
  client.ready(uri, function(server, reason)
    if over then
      return
    elseif not server then
      return finish({
        message = uri and reason
          or "no file is open; open one of the project, so that the server knows where it is",
      })
    end
    local sent, id = client.request(server, "workspace/executeCommand", {
      command = command,
      arguments = { next(params) and params or vim.empty_dict() },
    }, function(err, result)
      if err then
        return finish({
          message = request.message(err),
          code = type(err.data) == "table" and err.data.code or nil,
        })
      end
      finish(nil, result)
    end)
    if not sent then
      return finish({ message = "the server has ended; :Foreword restart starts it again" })
    end
    -- A server that dies answers nothing: then nobody must wait for ever.
    local timer = assert(vim.uv.new_timer())
    timer:start(200, 200, function()
      if over then
        timer:stop()
        timer:close()
      elseif server.rpc.is_closing() then
        vim.schedule(function()
          finish({
            message = "the server has ended before it answered; :Foreword restart starts it again",
          })
        end)
      end
    end)
    undo = function()
      client.cancel(server, id)
    end
  end)
  return function()
    if not over then
      over = true
      if undo then
        undo()
      end
    end
  end
end

return M
