-- Neovim 0.11 and newer reads this for vim.lsp.enable('galley'). What you give to vim.lsp.config() goes over it.
return require('galley.client').lsp_config()
