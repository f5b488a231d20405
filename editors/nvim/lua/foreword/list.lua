--- `:Foreword list`: every instruction file, rule and skill of the workspace, with its reach, its cost and its readers.
local M = {}

---@param result foreword.ListInstructionsResult
---@return string[]
local function render(result)
  local lines = {
    "# foreword: instruction files",
    "",
    ("%d files, %d tokens (%s)."):format(#result.files, result.tokens, result.counter),
  }
  for _, file in ipairs(result.files) do
    local facts = {
      ("%s, %d tokens"):format(file.kind, file.tokens),
      ("holds for %d file%s"):format(file.reach, file.reach == 1 and "" or "s"),
    }
    if file.state then
      table.insert(facts, file.state .. (file.why and (": " .. file.why) or ""))
    end
    vim.list_extend(lines, {
      "",
      ("## %s (%d tokens)"):format(file.path, file.tokens),
      "",
      ("[%s](%s)"):format(file.path, file.uri),
      "",
    })
    for _, fact in ipairs(facts) do
      table.insert(lines, "- " .. fact)
    end
    if file.description and file.description ~= "" then
      table.insert(lines, "- " .. file.description:gsub("%s+", " "))
    end
    local readers = #file.tools > 0 and table.concat(file.tools, ", ") or "no tool"
    table.insert(lines, "- sent by " .. readers)
  end
  return lines
end

---@class foreword.ListOpts
---@field quickfix? boolean The quickfix list in place of the document.
---@field mods? vim.api.keyset.cmd.mods Where the window opens.
---@field opened? fun(bufnr: integer) Called once the document is shown.

---@param opts? foreword.ListOpts
function M.open(opts)
  opts = opts or {}
  local request = require("foreword.request")
  local uri = request.target()
  local function ask(done)
    local params = { model = require("foreword.choice").get().model }
    return request.command(uri, "foreword.instructions.list", params, done)
  end
  if not opts.quickfix then
    return require("foreword.view").open({
      name = "foreword-list:///instructions",
      target = uri,
      live = true,
      mods = opts.mods,
      opened = opts.opened,
      fetch = function(done)
        return ask(function(problem, result)
          done(problem, result and render(result))
        end)
      end,
    })
  end
  ask(function(problem, result)
    if not result then
      return request.tell(problem)
    elseif #result.files == 0 then
      return request.tell("there is no instruction file in the workspace", vim.log.levels.INFO)
    end
    vim.fn.setqflist({}, " ", {
      title = "foreword: instruction files",
      items = vim.tbl_map(function(file)
        local text = ("%s, %d tokens, holds for %d: %s"):format(
          file.state or file.kind,
          file.tokens,
          file.reach,
          table.concat(file.tools, " ")
        )
        return { filename = vim.uri_to_fname(file.uri), lnum = 1, col = 1, text = text }
      end, result.files),
    })
    vim.cmd.copen()
  end)
end

return M
