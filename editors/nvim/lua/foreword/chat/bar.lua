--- Model, agent, mode, use of the window and what the cache should hold: for the winbar, and as text.
local number = require("foreword.chat.notes").number

local M = {}

---@return { group: string, text: string, short?: string }[]
local function parts()
  local chat = require("foreword.chat.chat")
  local choice = require("foreword.choice").get()
  local model = chat.model()
  local list = {
    {
      group = "ForewordChatModel",
      text = model.wire == "text" and "no model" or model.name,
    },
    { group = "ForewordChatAgent", text = "agent " .. (choice.agent or "build") },
    { group = "ForewordChatMode", text = "mode " .. (choice.mode or "build") },
  }
  local last = nil ---@type foreword.Entry?
  for i = #chat.conversation.entries, 1, -1 do
    last = last or (chat.conversation.entries[i].sent and chat.conversation.entries[i])
  end
  if last then
    local tokens = last.sent.tokens
    local used = (tokens.expected or 0) > 0 and tokens.expected or tokens.total
    local context = ("context %s"):format(number(used))
    local share = 0
    if tokens.window > 0 then
      share = used / tokens.window
      context = ("%s of %s (%d %%)"):format(context, number(tokens.window), math.ceil(share * 100))
    end
    table.insert(list, {
      group = share > 0.8 and "ForewordChatFull" or "ForewordChatContext",
      text = context .. " tokens",
      short = tokens.window > 0
          and ("%d %% of %s"):format(math.ceil(share * 100), number(tokens.window))
        or context,
    })
    table.insert(list, {
      group = "ForewordChatCache",
      text = ("cache %s expected"):format(number(last.sent.cache.tokens)),
      short = "cache " .. number(last.sent.cache.tokens),
    })
  end
  local state = chat.notice or (chat.busy() and "answering") or nil
  if chat.exhausted then
    state = "the limit of steps is reached; :Foreword chat continue goes on"
  end
  if state then
    table.insert(list, { group = "ForewordChatState", text = state })
  end
  if #chat.queue > 0 then
    table.insert(list, { group = "ForewordChatState", text = ("%d queued"):format(#chat.queue) })
  end
  return list
end

--- In plain words.
---@return string
function M.text()
  return table.concat(
    vim.tbl_map(function(part)
      return part.text
    end, parts()),
    " · "
  )
end

--- For 'winbar'.
---@return string
function M.winbar()
  local shown = {}
  for i, part in ipairs(parts()) do
    -- Where there is no room, the numbers go before model, agent and mode.
    local cut = i == 4 and "%<" or ""
    local text = (part.short or part.text):gsub("%%", "%%%%")
    table.insert(shown, ("%s%%#%s#%s"):format(cut, part.group, text))
  end
  return table.concat(shown, "%#WinBar# · ") .. "%#WinBar#"
end

--- Names that a colour scheme may set; without that they look like the groups that every scheme has.
function M.highlight()
  for name, link in pairs({
    Title = "Title",
    Heading = "Statement",
    Cost = "Comment",
    Model = "WinBar",
    Agent = "WinBar",
    Mode = "WinBar",
    Context = "WinBar",
    Full = "WarningMsg",
    Cache = "WinBar",
    State = "MoreMsg",
  }) do
    vim.api.nvim_set_hl(0, "ForewordChat" .. name, { link = link, default = true })
  end
end

return M
