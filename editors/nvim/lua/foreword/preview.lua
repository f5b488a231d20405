--- `:Foreword preview`: the exact prompt for a file, by section, with tokens and origins.
local M = {}

local following = false

--- What was chosen and pinned is part of the prompt, so open documents follow it.
local function follow()
  if not following then
    following = true
    local touch = require("foreword.view").touch
    require("foreword.choice").on_change(touch)
    require("foreword.pins").on_change(touch)
  end
end

--- The parameters of the prompt for a file, as it would be sent now.
---@param uri string
---@return foreword.BuildPromptParams
function M.params(uri)
  local params = require("foreword.choice").apply({ uri = uri })
  if params.model then -- the server is told what the provider is, without the name of the endpoint
    params.model = require("foreword.models.endpoint").find(params.model).model
  end
  return require("foreword.pins").apply(params)
end

local namespace = vim.api.nvim_create_namespace("foreword.preview")

--- Beside each section its share of the prompt, as virtual text; the tokens themselves are in the heading, where a
--- screen reader reads them.
---@param bufnr integer
local function decorate(bufnr)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  local lines = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  local total = 0
  for _, line in ipairs(lines) do
    total = total == 0 and tonumber(line:match("^(%d+) tokens in %d+ sections")) or total
  end
  for row, line in ipairs(lines) do
    local tokens = tonumber(line:match("^## .*, (%d+) tokens?%)$"))
    if tokens and total > 0 then
      local share = 100 * tokens / total
      local bar = ("▪"):rep(math.max(1, math.floor(share / 5 + 0.5)))
      vim.api.nvim_buf_set_extmark(bufnr, namespace, row - 1, 0, {
        virt_text = {
          { ("%d tokens, %.0f %% "):format(tokens, share), "Comment" },
          { bar, "Comment" },
        },
        virt_text_pos = "eol",
      })
    end
  end
end

---@param uri string of a file
---@return foreword.Document
function M.document(uri)
  follow()
  return {
    name = "foreword-preview://" .. vim.uri_to_fname(uri) .. ".prompt.md",
    target = uri,
    live = true,
    decorate = decorate,
    fetch = function(done)
      return require("foreword.request").command(
        uri,
        "foreword.prompt.preview",
        M.params(uri),
        function(problem, result)
          done(problem, result and vim.split(result.markdown, "\n", { trimempty = true }))
        end
      )
    end,
  }
end

---@class foreword.OpenOpts
---@field uri? string URI of the file; the current buffer's by default.
---@field path? string In place of uri.
---@field mods? vim.api.keyset.cmd.mods Where the window opens.
---@field opened? fun(bufnr: integer) Called once it is shown.

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

return M
