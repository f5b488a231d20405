--- What was said in a conversation, and how it is told to foreword.
local M = {}

---@class foreword.Attachment
---@field label string as it stands in the text
---@field uri? string of a file that the server reads
---@field text? string that goes behind the message

---@class foreword.Entry
---@field kind "user"|"answer"|"tool"
---@field id string
---@field time string
---@field text? string of a user
---@field attachments? foreword.Attachment[]
---@field turn? integer of an answer: the turn that asked for it; 0 before it was prepared
---@field parts? foreword.MessagePart[]
---@field model? string
---@field state? "waiting"|"streaming"|"done"|"stopped"|"failed"|"asking"|"running"|"denied"
---@field problem? foreword.Problem
---@field notes? string[] what was told to the model, trimmed, and warned of
---@field sent? { tokens: foreword.TokenTotals, cache: foreword.CacheForecast }
---@field usage? foreword.Usage
---@field reason? string why the model stopped
---@field call? string of a tool: the id of the call
---@field name? string
---@field arguments? any
---@field title? string
---@field output? string

---@class foreword.Conversation
---@field version 1
---@field id string also the name of foreword's session
---@field title string
---@field named boolean the user gave the title
---@field created string
---@field updated string
---@field uri? string file that it is about
---@field root? string folder that it is about
---@field agent? string
---@field mode? string
---@field model? string
---@field entries foreword.Entry[]
---@field branches { after: string, entries: foreword.Entry[] }[] what came before an edit
---@field allowed table<string, boolean> tools that the user allowed for all of it
---@field draft string what is typed and not sent
---@field whole? boolean the server does not know it any more, or not as it is

---@return string
function M.now()
  return os.date("!%Y-%m-%dT%H:%M:%SZ") --[[@as string]]
end

--- An id that no other process makes.
---@return string
function M.new_id()
  local bytes = vim.uv.random(10)
  return (bytes:gsub(".", function(byte)
    return ("%02x"):format(byte:byte())
  end))
end

---@return foreword.Conversation
function M.new()
  local now = M.now()
  return {
    version = 1,
    id = "nvim-" .. os.date("!%Y%m%d") .. "-" .. M.new_id(),
    title = "",
    named = false,
    created = now,
    updated = now,
    entries = {},
    branches = {},
    allowed = {},
    draft = "",
  }
end

---@param conversation foreword.Conversation
---@param id string
---@return integer? index
function M.index(conversation, id)
  for i, entry in ipairs(conversation.entries) do
    if entry.id == id then
      return i
    end
  end
end

--- The index of the last answer that was asked for; 0 for none.
---@param entries foreword.Entry[]
---@return integer
function M.last_sent(entries)
  for i = #entries, 1, -1 do
    if entries[i].kind == "answer" and (entries[i].turn or 0) > 0 then
      return i
    end
  end
  return 0
end

---@param entry foreword.Entry
---@return string
function M.user_text(entry)
  local texts = { entry.text }
  for _, attachment in ipairs(entry.attachments or {}) do
    table.insert(texts, attachment.text)
  end
  return table.concat(texts, "\n\n")
end

--- What the user reads of an answer.
---@param entry foreword.Entry
---@return string
function M.answer_text(entry)
  local texts = {}
  for _, part in ipairs(entry.parts or {}) do
    if part.type == "text" then
      table.insert(texts, part.text)
    end
  end
  return table.concat(texts)
end

local messages = {} ---@type table<string, fun(entry: foreword.Entry): foreword.Message?>

function messages.user(entry)
  local files = {}
  for _, attachment in ipairs(entry.attachments or {}) do
    table.insert(files, attachment.uri)
  end
  return {
    role = "user",
    content = M.user_text(entry),
    files = #files > 0 and files or nil,
  }
end

function messages.answer(entry)
  local content = vim.tbl_filter(function(part)
    return part.type ~= "text" or part.text ~= ""
  end, entry.parts or {})
  -- An answer that says nothing is none.
  return #content > 0 and { role = "assistant", content = content, model = entry.model } or nil
end

function messages.tool(entry)
  return {
    role = "tool",
    content = {
      {
        type = "tool-result",
        toolCallID = entry.call,
        name = entry.name,
        content = entry.output,
        isError = entry.state ~= "done" or nil,
      },
    },
  }
end

--- Entries as messages for foreword, from an index on.
---@param entries foreword.Entry[]
---@param from? integer
---@return foreword.Message[]
function M.messages(entries, from)
  local list = {}
  for i = from or 1, #entries do
    local message = messages[entries[i].kind](entries[i])
    if message then
      message.id, message.time = entries[i].id, entries[i].time
      table.insert(list, message)
    end
  end
  return list
end

--- Takes away an entry and all after it; they are kept as a branch.
---@param conversation foreword.Conversation
---@param index integer
function M.cut(conversation, index)
  local entries = conversation.entries
  if index > #entries then
    return
  end
  local after = entries[index - 1]
  table.insert(conversation.branches, {
    after = after and after.id or "",
    entries = vim.list_slice(entries, index),
  })
  for i = #entries, index, -1 do
    entries[i] = nil
  end
end

--- The title of a conversation that begins with a text.
---@param text string
---@return string
function M.title(text)
  local line = vim.trim((text:gsub("%s+", " ")))
  return vim.fn.strcharlen(line) > 60 and vim.fn.strcharpart(line, 0, 59) .. "…" or line
end

--- Ends what was under way when Neovim was: nobody works on it any more.
---@param conversation foreword.Conversation
function M.settle(conversation)
  for _, entry in ipairs(conversation.entries) do
    if entry.state == "waiting" or entry.state == "streaming" then
      entry.state = "stopped"
    elseif entry.state == "asking" or entry.state == "running" then
      entry.state = "denied"
      entry.output = "Neovim was closed before this was done."
    end
  end
end

return M
