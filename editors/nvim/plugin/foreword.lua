-- Defines the command, the <Plug> maps and the autocommands. Everything else is loaded when it is first needed.
if vim.g.loaded_foreword then
  return
end
vim.g.loaded_foreword = true

vim.api.nvim_create_user_command("Foreword", function(opts)
  require("foreword.command").run(opts)
end, {
  nargs = "*",
  bang = true,
  range = true,
  complete = function(...)
    return require("foreword.command").complete(...)
  end,
  desc = "See what a model is told about this file",
})

for _, name in ipairs({
  "chat",
  "preview",
  "explain",
  "tokens",
  "diff",
  "check",
  "list",
  "pin",
  "model",
  "agent",
  "mode",
  "session",
  "trust",
  "status",
  "log",
  "restart",
  "build",
}) do
  vim.keymap.set("n", ("<Plug>(foreword-%s)"):format(name), ("<Cmd>Foreword %s<CR>"):format(name))
end
for _, word in ipairs({
  "toggle",
  "send",
  "stop",
  "retry",
  "edit",
  "yank",
  "apply",
  "new",
  "sessions",
  "restore",
  "fork",
}) do
  local keys = ("<Plug>(foreword-chat-%s)"):format(word)
  vim.keymap.set("n", keys, ("<Cmd>Foreword chat %s<CR>"):format(word))
end
vim.keymap.set("n", "<Plug>(foreword-chat-add)", "<Cmd>Foreword chat add<CR>")
vim.keymap.set("x", "<Plug>(foreword-chat-add)", ":Foreword chat add<CR>", { silent = true })
vim.keymap.set("x", "<Plug>(foreword-tokens)", ":Foreword tokens<CR>", { silent = true })

if vim.fn.has("nvim-0.10") == 0 then
  return -- :Foreword says what is missing
end

local group = vim.api.nvim_create_augroup("foreword", { clear = true })
vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "BufFilePost", "FileType" }, {
  group = group,
  desc = "Attach foreword to every buffer that is a file",
  callback = function(event)
    require("foreword.client").attach_soon(event.buf)
  end,
})
vim.api.nvim_create_autocmd("BufReadCmd", {
  group = group,
  pattern = { "foreword-preview:/*", "foreword-explain:/*" },
  desc = "Show a document of foreword",
  callback = function(event)
    require("foreword.view").read(event.buf, event.match)
  end,
})

if vim.v.vim_did_enter == 1 then -- loaded late, by a plugin manager
  vim.schedule(function()
    require("foreword.client").attach_all()
  end)
end
