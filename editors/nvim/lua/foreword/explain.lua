--- `:Foreword explain`: which instruction files apply to a file, in order, and why the others do not.
local M = {}

---@param uri string
---@param done fun(problem: string?, result: foreword.ExplainInstructionsResult?)
---@return fun() cancel
local function ask(uri, done)
  return require("foreword.request").command(
    uri,
    "foreword.instructions.explain",
    { uri = uri },
    done
  )
end

---@param uri string of a file
---@return foreword.Document
function M.document(uri)
  return {
    name = "foreword-explain://" .. vim.uri_to_fname(uri) .. ".instructions.md",
    target = uri,
    live = true,
    fetch = function(done)
      return ask(uri, function(problem, result)
        done(problem, result and vim.split(result.markdown, "\n", { trimempty = true }))
      end)
    end,
  }
end

---@param opts? foreword.OpenOpts
function M.open(opts)
  opts = opts or {}
  local request = require("foreword.request")
  local target, problem = request.target(opts.path, opts.uri)
  if not target then
    return request.tell(problem)
  end
  local document = M.document(target)
  document.mods, document.opened = opts.mods, opts.opened
  require("foreword.view").open(document)
end

--- One line of a list for one entry of the answer.
---@param entry foreword.Instruction
---@return table item
local function item(entry)
  local head = entry.sent and ("%d. %s"):format(entry.order, entry.state)
    or ("-  %s"):format(entry.state)
  return {
    filename = vim.uri_to_fname(entry.uri),
    module = entry.path, -- shown in place of the file name, which Neovim takes from the file that a link leads to
    lnum = 1,
    col = 1,
    type = entry.sent and "I" or (entry.state == "unreadable" and "W" or "N"),
    text = ("%s, %d tokens: %s"):format(head, entry.tokens, entry.why),
  }
end

--- Fills the location list of the window, or the quickfix list, with the instruction files.
---@param opts foreword.OpenOpts | { quickfix?: boolean }
function M.list(opts)
  local request = require("foreword.request")
  local target, problem = request.target(opts.path, opts.uri)
  if not target then
    return request.tell(problem)
  end
  local window = vim.api.nvim_get_current_win()
  ask(target, function(failed, result)
    if not result then
      return request.tell(failed)
    end
    if #result.entries == 0 then
      return request.tell("no instruction file was found for this file", vim.log.levels.INFO)
    end
    local what = {
      title = "Instructions for " .. vim.fn.fnamemodify(vim.uri_to_fname(target), ":~:."),
      items = vim.tbl_map(item, result.entries),
    }
    if opts.quickfix then
      vim.fn.setqflist({}, " ", what)
      vim.cmd.copen()
    else
      vim.fn.setloclist(window, {}, " ", what)
      if vim.api.nvim_win_is_valid(window) then
        vim.api.nvim_set_current_win(window)
        vim.cmd.lopen()
      end
    end
  end)
end

return M
