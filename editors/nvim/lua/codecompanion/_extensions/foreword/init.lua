-- foreword as an extension of CodeCompanion: extensions = { foreword = { enabled = true, opts = {} } }.
return {
  setup = function(opts)
    require("foreword.adapters.codecompanion").setup(opts)
  end,
  exports = {
    --- Shows what the model is told about the file that was looked at last.
    preview = function()
      require("foreword").preview({ uri = require("foreword.adapters.prompt").uri() })
    end,
  },
}
