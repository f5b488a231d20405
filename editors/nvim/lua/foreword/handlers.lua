--- What the server sends by itself.
---@type table<string, lsp.Handler>
local handlers = {}

handlers["window/logMessage"] = function(err, params, ctx, ...)
  require("foreword.log").add(params or {})
  return vim.lsp.handlers["window/logMessage"](err, params, ctx, ...)
end

handlers["foreword/promptChanged"] = function()
  require("foreword.status").forget()
  require("foreword.view").touch()
end

handlers["foreword/status"] = function(_, params)
  require("foreword.status").receive(params or {})
end

handlers["workspace/textDocumentContent/refresh"] = function()
  require("foreword.view").touch()
  return vim.NIL
end

handlers["foreword/collectSections"] = function(_, params)
  return require("foreword.sources").collect(params or {}) or vim.NIL
end

return handlers
