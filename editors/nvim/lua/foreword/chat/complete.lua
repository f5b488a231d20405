--- What may stand behind an @ in the prompt: for the native completion, and for blink.cmp and nvim-cmp.
local M = {}

---@class foreword.CompletionItem
---@field word string what is put in, with the @
---@field kind "context"|"file"|"buffer"|"symbol"
---@field info string one line about it

local most = 200 -- items: nobody reads more, and a menu of more is slow

local about = {
  buffer = "the file that the conversation is about",
  buffers = "the names of the open files",
  diagnostics = "problems that the editor shows of the file",
  diff = "what is changed and not committed",
  quickfix = "the quickfix list",
  selection = "the lines that were selected last",
  symbols = "the symbols of the file",
  file = "a file, by its path",
  symbol = "one symbol of the file, with its lines",
}

local files = { root = nil, list = {} } ---@type { root: string?, list: string[], asking: boolean? }
local symbols = { uri = nil, list = {} } ---@type { uri: string?, list: foreword.Symbol[] }

---@return string? uri
---@return string root
local function place()
  local conversation = require("foreword.chat.chat").conversation
  local root = conversation.root and vim.uri_to_fname(conversation.root) or vim.fn.getcwd()
  return conversation.uri, root
end

---@param word string
---@return string
local function quoted(word)
  return word:find("%s") and ('"%s"'):format(word) or word
end

--- Renews what is known of the project in the background; typing never waits for it.
local function renew()
  local uri, root = place()
  if not files.asking then
    files.asking = true
    local ok = pcall(
      vim.system,
      { "git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard" },
      {},
      vim.schedule_wrap(function(result)
        files.asking = false
        if result.code == 0 then
          files.root = root
          files.list = vim.split(result.stdout, "\0", { trimempty = true })
          table.sort(files.list)
        end
      end)
    )
    if not ok then
      files.asking = false
    end
  end
  require("foreword.chat.symbols").get(uri, function(list)
    symbols.uri, symbols.list = uri, list
  end)
end

--- The items for what is typed, from the @ on. It never waits: what is asked for in the background is there the next
--- time.
---@param typed string "@", "@fi", "@file:src/"
---@return foreword.CompletionItem[]
function M.items(typed)
  renew()
  local uri, root = place()
  local found = {} ---@type foreword.CompletionItem[]
  local function add(word, kind, info)
    if
      #found < most and vim.startswith(word:lower():gsub('"', ""), (typed:lower():gsub('"', "")))
    then
      table.insert(found, { word = word, kind = kind, info = info })
    end
  end
  for _, name in ipairs(require("foreword.chat.attach").kinds()) do
    if name == "file" or name == "symbol" then
      add("@" .. name .. ":", "context", about[name])
    else
      add("@" .. name, "context", about[name])
    end
  end
  local client = require("foreword.client")
  local seen = {}
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[bufnr].buflisted and vim.api.nvim_buf_is_loaded(bufnr) and client.is_file(bufnr) then
      local path = vim.api.nvim_buf_get_name(bufnr)
      local name = vim.startswith(path, root .. "/") and path:sub(#root + 2)
        or vim.fn.fnamemodify(path, ":~:.")
      seen[name] = true
      add("@file:" .. quoted(name), "buffer", "open in the editor")
      add("@buffer:" .. quoted(name), "buffer", "open in the editor")
    end
  end
  if typed:match("^@f") then
    for _, name in ipairs(files.root == root and files.list or {}) do
      if not seen[name] then
        add("@file:" .. quoted(name), "file", "a file of the project")
      end
    end
  end
  if typed:match("^@s") and symbols.uri == uri then
    for _, symbol in ipairs(symbols.list) do
      add(
        "@symbol:" .. quoted(symbol.name),
        "symbol",
        ("%s, line %d"):format(symbol.kind, symbol.first)
      )
    end
  end
  return found
end

--- Where the word that begins with an @ begins, in a line as far as the cursor.
---@param before string
---@return integer? column of the @, from 0
function M.start(before)
  local at = before:match('^.*()@%a*:?"[^"]*$') or before:match("^.*()@%S*$")
  if at and (at == 1 or before:sub(at - 1, at - 1):match("%s")) then
    return at - 1
  end
end

--- For 'omnifunc'.
---@param find_start integer
---@param base string
---@return integer|table[]
function M.omnifunc(find_start, base)
  if find_start == 1 then
    local column = vim.api.nvim_win_get_cursor(0)[2]
    return M.start(vim.api.nvim_get_current_line():sub(1, column)) or -3
  end
  return vim.tbl_map(function(item)
    return { word = item.word, menu = item.info, kind = item.kind:sub(1, 1) }
  end, M.items(base))
end

return M
