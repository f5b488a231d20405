package imports

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// prose are extensions of files that somebody would have a model read.
var prose = strings.Fields(".md .mdc .mdx .markdown .txt .text .rst .adoc .asciidoc")

// data are extensions of files that are imported now and then, and that end
// names in packages too (@scope/package/package.json).
var data = strings.Fields(".json .jsonc .json5 .yaml .yml .toml")

// web are extensions of files that are named by the aliases of bundlers
// (@components/Button.vue) and by parts of packages (@types/node/index.d.ts).
var web = strings.Fields(".ts .tsx .mts .cts .js .jsx .mjs .cjs .vue .svelte .astro .css .scss .sass .less .html .svg .png .jpg .webp .woff2 .wasm .map")

// sources are extensions of other source files.
var sources = strings.Fields(`.bash .bat .c .cc .cfg .clj .conf .cpp .cs .csv .dart .ex .exs .fish .go .gradle .graphql .h
	.hpp .hs .ini .java .jl .kt .lua .ml .nix .php .pl .properties .proto .ps1 .py .pyi .r .rb .rs .scala .sh .sql .swift .tf
	.tsv .xml .zig .zsh`)

// bare are names of files without an extension, or with one of their own,
// exactly as they are written.
var bare = strings.Fields(`README CONTRIBUTING CHANGELOG LICENSE ARCHITECTURE Makefile GNUmakefile Dockerfile Justfile
	justfile Procfile Gemfile Rakefile CODEOWNERS go.mod go.work Cargo.lock go.sum`)

// directories are names that people give to directories, and hardly anybody to
// the scope of a package, an organisation or an alias.
var directories = strings.Fields(`adr adrs agents ai ai-docs ai_docs apps backend bin cmd commands conf configs context
	contrib crates doc docs documentation etc examples frontend guides guidelines instructions internal memory memory-bank
	notes packages pkg plans prompts reference rfcs rules scripts skills spec specs src standards style tasks templates tests
	tools workflows`)

// scopes are well-known owners of packages, whose files have paths as well.
var scopes = strings.Fields(`anthropic-ai angular ant-design apollo astrojs auth0 aws-sdk azure babel changesets chakra-ui
	emotion eslint expo fastify floating-ui fontsource formatjs fortawesome google-cloud graphql-tools grpc headlessui
	hookform hotwired iconify ionic jest jridgewell langchain lerna lit mantine material-ui mdx-js modelcontextprotocol mui
	nestjs nextui-org nuxt nx octokit openai opentelemetry parcel playwright popperjs prisma radix-ui react-native
	react-navigation reduxjs remix-run rollup sentry shadcn stencil storybook stripe supabase sveltejs svgr swc tailwindcss
	tanstack testing-library trpc turf types typescript-eslint unocss vercel vitejs vitest vue vueuse xstate`)

// maxPath is the size in bytes of the longest path that systems take
// (PATH_MAX of Linux).
const maxPath = 4096

var (
	// dotFile is a hidden file or a path that begins in a hidden directory.
	dotFile = regexp.MustCompile(`^\.[a-z][\w.-]*(/[\w.*@~+-]+)*/?$`)
	// pathWords is what a relative path is made of.
	pathWords = regexp.MustCompile(`^[\pL\pN_.*+~ -]+(/[\pL\pN_.*+~ -]+)*/?$`)
	// domain is a name of a host, as in github.com/owner/name.
	domain = regexp.MustCompile(`^([a-z0-9-]+\.)+(com|org|net|io|dev|ai|app|co|de|eu|uk)$`)
	// systemPath begins in a directory of a system's root.
	systemPath = regexp.MustCompile(`^/(home|Users|etc|usr|opt|var|tmp|root|mnt|srv|workspace|workspaces|Library|Volumes)/.`)
	drivePath  = regexp.MustCompile(`^[A-Za-z]:[\\/][^\\/]`)
	fileName   = regexp.MustCompile(`^[\pL\pN_.-]`)
)

// LooksLikePath tells whether a token is meant as a path, judged by its letters
// alone. At signs in prose are hardly ever imports: in a corpus of 1,382
// instruction files some 12 of 241 were. The others are decorators (@dataclass,
// @app.get), scopes of packages (@types/node), rules of style sheets (@media),
// handles and teams (@octocat, @org/team), tags of comments (@param), aliases
// of bundlers (@/components/x) and parts of mail addresses. Where both are
// possible it says no, since the price of that is a missing hint, and that of
// the other a false warning.
func LooksLikePath(token string) bool {
	word := strings.TrimRight(strings.TrimPrefix(token, "@"), ".,;:!?)]}>'\"`*_…，。、；：！？）】」”’")
	word = strings.ReplaceAll(word, `\ `, " ")
	if before, _, ok := strings.Cut(word, "#"); ok {
		word = before
	}
	if word == "" || len(word) > maxPath || strings.ContainsAny(word, "@(){}[]<>$=|&%^\"'`;,!?") || strings.Contains(word, "://") || strings.Contains(word, "//") {
		return false
	}
	switch {
	case strings.HasPrefix(word, "./"), strings.HasPrefix(word, "../"), strings.HasPrefix(word, "~/"):
		if word[0] == '~' && word[2:] != "" && word[2] != '.' && slices.Contains(web, extension(word)) {
			return false // ~/components/x.vue is an alias too
		}
		_, rest, _ := strings.Cut(word, "/")
		rest = strings.TrimLeft(rest, "./")
		return fileName.MatchString(rest) || strings.HasPrefix(rest, "*")
	case drivePath.MatchString(word):
		return true
	case strings.HasPrefix(word, "/"):
		// @/components/x is the alias of a bundler.
		return systemPath.MatchString(word) || slices.Contains(prose, extension(word))
	case word[0] == '.':
		return dotFile.MatchString(word) && word != ".net"
	}
	return pathWords.MatchString(word) && relative(word)
}

// relative judges a path that begins with a name.
func relative(word string) bool {
	segments := strings.Split(strings.TrimSuffix(word, "/"), "/")
	first, last, ext := segments[0], segments[len(segments)-1], extension(word)
	known := slices.Contains(directories, strings.ToLower(first))
	switch {
	case strings.HasSuffix(word, "/"):
		return known
	case len(segments) == 1:
		return slices.Contains(bare, word) || slices.Contains(prose, ext) || slices.Contains(data, ext)
	case slices.Contains(scopes, first) || domain.MatchString(first):
		return false
	case slices.Contains(prose, ext):
		return true
	case slices.Contains(bare, last) && last[0] < 'a':
		return true
	case slices.Contains(data, ext):
		return known || last != "package.json" && last != "tsconfig.json"
	case slices.Contains(web, ext):
		return known && first != "src" && first != "packages"
	}
	return slices.Contains(sources, ext)
}

// extension of a file, if all of it is in small letters or in capitals, as
// extensions are: the Html of @Model.Html is none.
func extension(word string) string {
	base := path.Base(word)
	ext := path.Ext(base)
	if ext == base {
		return ""
	}
	if lower := strings.ToLower(ext); ext == lower || ext == strings.ToUpper(ext) {
		return lower
	}
	return ""
}
