--- Work in steps that wait, written as if it did not wait; it can be ended at any step.
local M = {}

---@class foreword.Task
---@field stopped boolean
---@field private thread thread
---@field private cancel? fun() ends what is waited for
---@field private step integer counts the waits, so that a late answer is known as such
local Task = {}
Task.__index = Task

--- What a wait gives when the task was stopped.
M.STOPPED = setmetatable({}, {
  __tostring = function()
    return "stopped"
  end,
})

---@param ok boolean
---@param problem any
local function check(ok, problem)
  if not ok then
    error(problem, 0)
  end
end

--- Starts work. It runs until its first wait at once.
---@param work fun(task: foreword.Task)
---@return foreword.Task
function M.start(work)
  local task = setmetatable({ stopped = false, step = 0 }, Task)
  task.thread = coroutine.create(function()
    local ok, problem = xpcall(work, debug.traceback, task)
    if not ok then
      vim.schedule(function()
        require("foreword.request").tell("the chat has a fault, please report it: " .. problem)
      end)
    end
  end)
  check(coroutine.resume(task.thread))
  return task
end

--- Waits for what begin() starts; begin gets the function to be called with the outcome, and may return one that
--- ends it. Gives M.STOPPED when the task is stopped meanwhile, or was before.
---@param begin fun(resume: fun(...)): fun()?
---@return any ...
function Task:wait(begin)
  if self.stopped then
    return M.STOPPED
  end
  self.step = self.step + 1
  local step = self.step
  local early, waiting = nil, false
  local function resume(...)
    if step ~= self.step then
      return
    end
    self.step = self.step + 1
    self.cancel = nil
    if waiting then
      check(coroutine.resume(self.thread, ...))
    else
      early = { n = select("#", ...), ... }
    end
  end
  self.resume = resume
  local cancel = begin(resume)
  if early then
    return unpack(early, 1, early.n)
  end
  self.cancel = cancel
  waiting = true
  return coroutine.yield()
end

--- Ends the task: what it waits for is given up, and it goes on with M.STOPPED.
function Task:stop()
  if self.stopped then
    return
  end
  self.stopped = true
  local cancel, resume = self.cancel, self.resume
  self.cancel = nil
  if cancel then
    cancel()
  end
  if resume then
    resume(M.STOPPED)
  end
end

return M
