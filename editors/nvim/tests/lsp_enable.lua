-- The plugin together with Neovim's own configuration of servers: vim.lsp.config and vim.lsp.enable (0.11 and later),
-- vim.lsp.start with the plugin's configuration (0.10).
package.path = vim.fs.dirname(vim.fn.fnamemodify(arg[0], ":p")) .. "/lib/?.lua;" .. package.path
local t = require("harness")

local root = t.repository("both")
vim.opt.runtimepath:prepend(t.plugin)
vim.cmd("filetype plugin on")

if vim.lsp.enable then
  t.test(
    "vim.lsp.enable alone attaches with the plugin's configuration, and actions reach the plugin",
    function()
      vim.lsp.config("foreword", { cmd = { t.binary, "serve" } })
      vim.lsp.enable("foreword")
      t.attached(t.edit(root .. "/main.go"))
    end
  )
else
  t.test(
    "vim.lsp.start attaches with the plugin's configuration, and actions reach the plugin",
    function()
      vim.g.foreword = { cmd = t.binary }
      vim.api.nvim_create_autocmd("FileType", {
        callback = function(event)
          local config = require("foreword.client").lsp_config()
          config.root_dir(event.buf, function(dir)
            config.root_dir = dir
            vim.lsp.start(config, { bufnr = event.buf, reuse_client = config.reuse_client })
          end)
        end,
      })
      t.attached(t.edit(root .. "/main.go"))
    end
  )
end

t.test("a code action opens the plugin's preview", function()
  vim.lsp.buf.code_action({
    filter = function(action)
      return action.title:find("Preview the prompt", 1, true) ~= nil
    end,
    apply = true,
  })
  local bufnr = t.document("foreword-preview://" .. root .. "/main.go")
  t.contains(t.text(bufnr), "British spelling")
  vim.cmd.only()
end)

t.test("with the commands beside it there is still one process", function()
  vim.cmd.runtime("plugin/foreword.lua")
  t.attached(t.edit(root .. "/NOTES"))
  t.attached(t.edit(root .. "/ünï code/naïve 文.lua"))
  t.attached(t.edit(t.repository("another") .. "/main.go"))
  vim.wait(200)
  t.same(#vim.lsp.get_clients({ name = "foreword" }), 1, "processes")
  vim.cmd("Foreword preview")
  t.contains(
    t.text(t.document("foreword-preview://" .. t.top .. "/work/another")),
    "British spelling"
  )
end)

t.test("nothing was told as an error on the way", function()
  t.same(t.told_of("ERROR"), {})
  t.quiet()
  t.same(t.told_of("WARN"), {})
end)

t.done()
