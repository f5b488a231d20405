-- The plugin without a server: what it costs to load, its command, its settings, its help, and a missing program.
package.path = vim.fs.dirname(vim.fn.fnamemodify(arg[0], ":p")) .. "/lib/?.lua;" .. package.path
local t = require("harness")

t.test("loading defines the command and requires nothing", function()
  vim.opt.runtimepath:prepend(t.plugin)
  local path = t.plugin .. "/plugin/foreword.lua"
  local before = vim.tbl_keys(package.loaded)
  local start = vim.uv.hrtime()
  vim.cmd.source(path)
  local first = (vim.uv.hrtime() - start) / 1e6
  t.same(vim.fn.exists(":Foreword"), 2)
  for name in pairs(package.loaded) do
    if not vim.tbl_contains(before, name) then
      assert(not name:match("^foreword") and not name:match("^vim%.lsp"), name .. " was loaded")
    end
  end
  -- The figure is printed for people; what is asserted is that nothing heavy is loaded.
  local runs, total = 100, 0
  for _ = 1, runs do
    vim.g.loaded_foreword = nil
    start = vim.uv.hrtime()
    vim.cmd.source(path)
    total = total + vim.uv.hrtime() - start
  end
  return ("%.3f ms the first time, %.3f ms on average of %d"):format(
    first,
    total / 1e6 / runs,
    runs
  )
end)

t.test("a second load does nothing", function()
  vim.api.nvim_del_user_command("Foreword")
  vim.cmd.source(t.plugin .. "/plugin/foreword.lua")
  t.same(vim.fn.exists(":Foreword"), 0)
  vim.g.loaded_foreword = nil
  vim.cmd.source(t.plugin .. "/plugin/foreword.lua")
  t.same(vim.fn.exists(":Foreword"), 2)
end)

t.test("subcommands complete", function()
  local all = vim.fn.getcompletion("Foreword ", "cmdline")
  for _, name in ipairs({
    "agent",
    "build",
    "check",
    "diff",
    "explain",
    "list",
    "log",
    "mode",
    "model",
    "pin",
    "preview",
    "restart",
    "session",
    "status",
    "tokens",
    "trust",
  }) do
    assert(vim.tbl_contains(all, name), name .. " is missing")
  end
  t.same(vim.fn.getcompletion("Foreword pre", "cmdline"), { "preview" })
  t.same(vim.fn.getcompletion("Foreword mode ", "cmdline"), { "build", "plan" })
  t.same(vim.fn.getcompletion("Foreword mode build ", "cmdline"), {})
  t.same(
    vim.fn.getcompletion("Foreword agent ", "cmdline"),
    { "build", "explore", "general", "plan" }
  )
  t.same(
    vim.fn.getcompletion("Foreword session ", "cmdline"),
    { "fork", "forget", "list", "rebase", "show" }
  )
  t.same(vim.fn.getcompletion("vertical Foreword tr", "cmdline"), { "trust" })
  t.same(vim.fn.getcompletion("Foreword trust ", "cmdline"), { "grant", "list", "revoke" })
  t.same(vim.fn.getcompletion("Foreword! explain lo", "cmdline"), { "loclist" })
  return table.concat(all, " ")
end)

t.test("an unknown subcommand names the nearest one", function()
  vim.cmd("Foreword prevew")
  return t.contains(t.told[#t.told], "did you mean :Foreword preview?")
end)

t.test("a subcommand refuses what it does not take", function()
  vim.cmd("1Foreword preview")
  t.contains(t.told[#t.told], "takes no range")
  vim.cmd("Foreword! tokens")
  t.contains(t.told[#t.told], "takes no !")
  vim.cmd("Foreword trust everyone")
  t.contains(t.told[#t.told], "grant, list, revoke, not everyone")
  vim.cmd("Foreword restart now")
  t.contains(t.told[#t.told], "takes no argument")
end)

t.test("settings come from defaults, vim.g.foreword and setup(), in that order", function()
  local config = require("foreword.config")
  vim.g.foreword =
    { debounce = 40, window = { folded = true }, settings = { model = "a", tree = { tokens = 5 } } }
  require("foreword").setup({ debounce = 50, settings = { model = "b" } })
  local got = config.get()
  t.same(got.debounce, 50)
  t.same(got.window, { split = "auto", folded = true })
  t.same(got.settings, { model = "b", tree = { tokens = 5 } })
  t.same(config.problems(), {})
end)

t.test("a wrong setting is told once, by name, and leaves the default", function()
  local config = require("foreword.config")
  vim.g.foreword = { debounc = 40, autostart = "yes", window = { split = "up" } }
  require("foreword").setup()
  t.same(config.get().autostart, true)
  t.same(config.get().window.split, "auto")
  local text = table.concat(config.problems(), "\n")
  t.contains(text, 'unknown key "debounc", did you mean "debounce"?')
  t.contains(text, "autostart must be a boolean or function, not a string")
  t.contains(text, "window.split must be one of")
  t.wait("the warning", function()
    return #t.told_of("debounc") > 0
  end)
  vim.g.foreword = nil
  require("foreword").setup()
  return text
end)

t.test("without the program there is one message that says what to do, and no more", function()
  vim.cmd("filetype plugin on")
  vim.env.PATH = "/usr/bin:/bin"
  require("foreword").setup({ cmd = t.top .. "/no such/foreword" })
  for _, name in ipairs({ "a.txt", "b.lua", "c" }) do
    t.write(t.top .. "/x/" .. name, "text\n")
    t.edit(t.top .. "/x/" .. name)
    vim.wait(50)
  end
  local told = t.told_of("no such/foreword")
  t.same(#told, 1, "messages")
  t.contains(told[1], "correct cmd or build it")
  return told[1]
end)

t.test("a command without the program says what to do each time", function()
  local before = #t.told
  vim.cmd("Foreword preview")
  vim.cmd("Foreword tokens")
  t.wait("two messages", function()
    return #t.told == before + 2
  end)
  t.contains(t.told[#t.told], "correct cmd or build it")
  t.same(#vim.api.nvim_list_wins(), 1, "windows")
  t.same(require("foreword").statusline(), "")
end)

t.test("a program that ends at once is started once, and :Foreword log has what it said", function()
  t.told = {}
  -- It ends while files are being opened; between its end and Neovim's word of it there is a moment too.
  require("foreword").setup({ cmd = { "sh", "-c", "sleep 0.3; echo no such option >&2; exit 3" } })
  for _, name in ipairs({ "d.txt", "e.txt", "f.txt" }) do
    t.write(t.top .. "/x/" .. name, "text\n")
    t.edit(t.top .. "/x/" .. name)
    vim.wait(200)
  end
  t.wait("the end", function()
    return require("foreword.client").failure() and #t.told > 0
  end)
  t.same(#t.told, 1, table.concat(t.told, "\n") .. "\nmessages")
  vim.cmd("Foreword tokens")
  local told = t.wait("what to do", function()
    return t.told_of("exit code 3, signal 0; :Foreword log shows")[1]
  end)
  vim.cmd("Foreword log")
  t.contains(t.text(), "no such option")
  t.keys("q")
  t.told = {}
  vim.cmd("Foreword restart")
  t.wait("the failure of the restart", function()
    return t.told_of("ERROR foreword: the server ended with exit code 3")[1]
  end)
  require("foreword").setup({ cmd = t.top .. "/no such/foreword" })
  return told
end)

t.test(":checkhealth without the program says what to do", function()
  vim.cmd("checkhealth foreword")
  local report = t.text()
  vim.cmd.bwipeout()
  t.contains(report, "ERROR")
  return t.contains(report, "foreword-install")
end)

t.test(":checkhealth tells where keys come from, and never a key", function()
  vim.env.FOREWORD_TEST_KEY = "sk-very-secret"
  vim.env.FOREWORD_TEST_NONE = nil
  require("foreword").setup({
    cmd = t.top .. "/no such/foreword",
    chat = {
      endpoints = {
        { name = "good", url = "https://good.example/v1", key = "FOREWORD_TEST_KEY" },
        { name = "unset", url = "https://unset.example/v1", key = "FOREWORD_TEST_NONE" },
        { name = "command", url = "https://command.example/v1", key = { "no-such-pass", "show" } },
        {
          name = "called",
          url = "https://called.example/v1",
          key = function()
            error("the key was asked for")
          end,
        },
      },
    },
  })
  vim.cmd("checkhealth foreword")
  local report = t.text()
  vim.cmd.bwipeout()
  t.lacks(report, "very-secret")
  t.contains(report, "the key is in $FOREWORD_TEST_KEY")
  t.contains(report, "$FOREWORD_TEST_NONE is empty")
  t.contains(report, "no-such-pass, which gives the key, cannot be run")
  t.contains(report, "endpoint called (https://called.example/v1): the key comes from a function")
  vim.env.PATH = "/nowhere"
  vim.cmd("checkhealth foreword")
  t.contains(t.text(), "curl is not on $PATH")
  vim.cmd.bwipeout()
  vim.env.PATH = "/usr/bin:/bin"
  require("foreword").setup({ cmd = t.top .. "/no such/foreword" })
end)

t.test(":checkhealth vim.deprecated has nothing against us", function()
  if vim.fn.has("nvim-0.11") == 1 then
    vim.cmd("checkhealth vim.deprecated")
    local report = t.text()
    vim.cmd.bwipeout()
    t.lacks(report, "lua/foreword")
  end
end)

t.test("the help is complete and its tags can be made", function()
  local doc = t.top .. "/doc"
  vim.fn.mkdir(doc, "p")
  local help = t.read(t.plugin .. "/doc/foreword.txt")
  t.write(doc .. "/foreword.txt", help)
  vim.cmd("helptags " .. vim.fn.fnameescape(doc))
  local tags = t.read(doc .. "/tags")
  -- Plugin managers make tags for the top of a repository only, so ours are kept beside the help.
  t.same(t.read(t.plugin .. "/doc/tags"), tags, "doc/tags; run :helptags editors/nvim/doc")
  for name in pairs(require("foreword.command").subcommands) do
    t.contains(tags, (":Foreword-%s\t"):format(name))
    t.contains(help, ("<Plug>(foreword-%s)"):format(name))
  end
  for _, other in ipairs({ "codecompanion", "copilotchat", "avante", "sidekick" }) do
    t.contains(tags, ("foreword-%s\t"):format(other))
    assert(package.loaded["foreword.adapters." .. other] == nil, other .. " is loaded")
    require("foreword.adapters." .. other)
  end
  for _, key in ipairs(require("foreword.config").keys()) do
    t.contains(tags, ("foreword-setting-%s\t"):format(key))
  end
  for name, value in pairs(require("foreword")) do
    if type(value) == "function" then
      t.contains(tags, ("foreword.%s()\t"):format(name))
    end
  end
  for link in help:gmatch("|([%w%p]-)|") do
    local own = link:match("^:?[Ff]oreword")
    if own then
      t.contains(tags, link .. "\t")
    end
  end
  for number, line in ipairs(vim.split(help, "\n")) do
    assert(vim.fn.strdisplaywidth(line) <= 78, ("line %d is wider than 78 columns"):format(number))
  end
  local _, count = tags:gsub("\n", "")
  return count .. " tags"
end)

t.done()
