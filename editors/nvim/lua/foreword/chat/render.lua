--- Entries of a conversation as lines of Markdown.
local notes = require("foreword.chat.notes")

local M = {}

---@class foreword.Rendered
---@field lines string[] the first one is blank: it keeps the block apart from the one before
---@field folds [integer, integer][] first and last line of what begins folded, from 1
---@field virtual? string beside the heading

--- A fence that no line of a text ends.
---@param text string
---@return string
local function fence(text)
  local longest = 2
  for run in text:gmatch("`+") do
    longest = math.max(longest, #run)
  end
  return ("`"):rep(longest + 1)
end

---@param lines string[]
---@param text string
local function add(lines, text)
  for _, line in ipairs(vim.split(text, "\n", { plain = true })) do
    table.insert(lines, (line:gsub("\r$", "")))
  end
end

---@param entry foreword.Entry
---@return foreword.Rendered
local function user(entry)
  local lines = { "", "## You", "" }
  add(lines, entry.text)
  return { lines = lines, folds = {} }
end

---@param entry foreword.Entry
---@return string?
local function ending(entry)
  if entry.state == "stopped" then
    return "*Stopped. :Foreword chat retry asks once more.*"
  elseif entry.state == "failed" then
    return ("**Error:** %s"):format(require("foreword.models.problem").sentence(entry.problem))
  elseif
    entry.reason == "length"
    or entry.reason == "max_tokens"
    or entry.reason == "MAX_TOKENS"
  then
    return "*The model stopped at its limit for one answer.*"
  elseif entry.reason == "prompt" then
    return "*No model is chosen: this is the prompt, to be copied (:Foreword chat copy).*"
  end
end

---@param entry foreword.Entry
---@return foreword.Rendered
local function answer(entry)
  local model = entry.model and entry.model ~= "" and entry.model or "Answer"
  if entry.reason == "prompt" then
    model = "The prompt"
  end
  local lines, folds = { "", "## " .. model, "" }, {}
  for _, note in ipairs(entry.notes or {}) do
    add(lines, "> " .. note:gsub("\n", "\n> "))
    table.insert(lines, ">")
  end
  if lines[#lines] == ">" then
    lines[#lines] = ""
  end
  local parts = require("foreword.chat.turn").parts(entry)
  if entry.state == "waiting" and #parts == 0 then
    table.insert(lines, "…")
  end
  for _, part in ipairs(parts) do
    if part.type == "text" then
      local text = part.text
      if entry.reason == "prompt" then
        local mark = fence(text)
        text = mark .. "text\n" .. text .. "\n" .. mark
      end
      if lines[#lines] ~= "" then
        table.insert(lines, "")
      end
      add(lines, text)
    elseif part.type == "thinking" then
      local first = #lines + 1
      table.insert(lines, "### Thinking")
      table.insert(lines, "")
      add(lines, part.text and part.text ~= "" and part.text or "(not shown by the provider)")
      table.insert(folds, { first, #lines })
    end
  end
  local last, cost = ending(entry), notes.cost(entry)
  for _, line in ipairs({ last or "", cost and ("*" .. cost .. "*") or "" }) do
    if line ~= "" then
      if lines[#lines] ~= "" then
        table.insert(lines, "")
      end
      add(lines, line)
    end
  end
  return { lines = lines, folds = folds, virtual = cost }
end

local words = {
  asking = "waits for you",
  running = "runs",
  denied = "not done",
  failed = "failed",
  done = "done",
}

---@param entry foreword.Entry
---@return foreword.Rendered
local function tool(entry)
  local title = entry.title
  if not title or title == "" then
    local arguments = type(entry.arguments) == "string" and entry.arguments
      or vim.json.encode(entry.arguments or {})
    title = ("%s %s"):format(entry.name, arguments:gsub("%s+", " "))
  end
  if vim.fn.strcharlen(title) > 120 then
    title = vim.fn.strcharpart(title, 0, 119) .. "…"
  end
  local lines = { "", ("### Tool: %s (%s)"):format(title, words[entry.state] or entry.state) }
  for _, note in ipairs(entry.notes or {}) do
    table.insert(lines, "")
    add(lines, "> " .. note)
  end
  if entry.output and entry.output ~= "" then
    local mark = fence(entry.output)
    table.insert(lines, "")
    table.insert(lines, mark .. "text")
    add(lines, entry.output)
    table.insert(lines, mark)
  end
  -- Notes stay to be seen only while the result is open, so the heading says that there are some.
  if entry.notes and #entry.notes > 0 then
    lines[2] = lines[2] .. ", with instructions"
  end
  return { lines = lines, folds = #lines > 2 and { { 2, #lines } } or {} }
end

local kinds = { user = user, answer = answer, tool = tool }

---@param entry foreword.Entry
---@return foreword.Rendered
function M.entry(entry)
  return kinds[entry.kind](entry)
end

--- The beginning of a transcript: its title, and in text what the winbar shows.
---@param conversation foreword.Conversation
---@param status string
---@return foreword.Rendered
function M.head(conversation, status)
  local title = conversation.title ~= "" and conversation.title or "New chat"
  return { lines = { "# " .. title, "", status }, folds = {} }
end

return M
