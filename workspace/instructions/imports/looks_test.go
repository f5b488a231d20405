package imports

import (
	"strings"
	"testing"
)

// notPaths are tokens as they stand in instruction files, by kind.
var notPaths = map[string]string{
	"decorators": `@dataclass @property @staticmethod @classmethod @abstractmethod @override @cached_property @overload @final
		@app.route @app.get @app.post("/items") @app.command() @router.get("/x.json") @pytest.fixture @pytest.mark.asyncio
		@pytest.mark.parametrize @functools.lru_cache @functools.wraps(f) @mock.patch("a.b") @click.command() @torch.no_grad()
		@jax.jit @nn.compact @tf.function @celery.task @shared_task @login_required @pydantic.validator @field_validator
		@Component @Injectable() @Input() @NgModule({ @Controller('users') @Get(':id') @Module @Entity @Column() @HostListener
		@Override @Deprecated @Autowired @SpringBootTest @RestController @Test @BeforeEach @Nullable @NonNull @Suppress("x")
		@JvmStatic @Composable @Preview @HiltViewModel @file:JvmName @param:NotNull @MainActor @State @Published @objc
		@escaping @available(iOS @autoclosure @discardableResult @objcMembers @_exported @inline(__always) @customElement('x')`,
	"scopes": `@types/node @types/react @babel/core @babel/preset-env @angular/core @angular/common/http @vue/test-utils
		@vue/compiler-sfc @nestjs/common @reduxjs/toolkit @tanstack/react-query @trpc/server @prisma/client @mui/material
		@mui/material/Button @emotion/react @testing-library/react @testing-library/jest-dom/vitest @storybook/react
		@aws-sdk/client-s3 @google-cloud/storage @azure/identity @radix-ui/react-dialog @floating-ui/dom @headlessui/react
		@sveltejs/kit @sveltejs/adapter-auto @astrojs/mdx @nuxt/kit @remix-run/node @vercel/analytics @vercel/analytics/react
		@sentry/nextjs @opentelemetry/api @modelcontextprotocol/sdk @modelcontextprotocol/sdk/server/mcp.js @anthropic-ai/sdk
		@anthropic-ai/claude-code @openai/agents @langchain/core @langchain/core/messages @types/node/index.d.ts
		@babel/core/package.json @acme/ui @acme/ui/button @acme/ui/dist/index.js @acme/ui/package.json @acme/tsconfig/tsconfig.json
		@acme/ui-kit/styles.css @org/pkg @org/pkg/sub/path @scope/name @scope/name@1.2.3 @scope/name@latest @types/*
		@fontsource/inter/400.css @biomejs/biome @pnpm/types @repo/ui @repo/eslint-config @repo/typescript-config
		@workspace/ui/components/button @workspace/ui/globals.css @internal/utils @tailwindcss/postcss @eslint/js @typescript-eslint/parser`,
	"at-rules": `@media @import @charset @font-face @keyframes @supports @layer @container @page @namespace @property @apply
		@tailwind @screen @variant @theme @utility @plugin @source @config @include @mixin @extend @use @forward @function
		@return @if @else @each @for @while @debug @warn @error @at-root @media(min-width:640px) @supports(display:grid) @layer{`,
	"handles": `@octocat @claude @cursor @copilot @gemini-cli @dependabot @github-actions @renovate-bot @coderabbitai @torvalds
		@octocat. @octocat, @octocat's (@octocat) @octocat: @octocat! @everyone @here @channel @all @me @username @your-name
		@user_name @john.doe @jane.roe, @a @1password @codecov @CODEOWNERS_BOT @user@mastodon.social @me@example.org`,
	"teams": `@org/team @org/team-name @my-org/frontend @my-org/frontend-team @Acme/Platform @Acme/platform-infra
		@github/docs-content @microsoft/vscode-team @rust-lang/compiler @kubernetes/sig-docs @org/team, @org/team. @org/team)
		@org/docs @org/src @grafana/docs-team @Shopify/ruby @open-telemetry/collector-contrib-approvers @org/*`,
	"comment tags": `@param @returns @return @throws @deprecated @see @link @example @default @type @typedef @template @since
		@version @author @license @internal @public @private @readonly @todo @TODO @ts-ignore @ts-expect-error @ts-nocheck
		@jsx @jsxImportSource @preserve @vitest-environment @vite-ignore @generated @nocommit @file @fileoverview @module
		@mermaid @startuml @enduml @brief @ingroup @inheritdoc @covers @dataProvider @ORM\Column @var @phpstan-ignore`,
	"aliases": `@/components/x @/components/Button @/components/Button.vue @/lib/utils @/lib/utils.ts @/app/page.tsx @/styles/main.scss
		@/hooks/use-x @/types @/ @/* @/server/db/schema @/data/x.json @components/Button @components/Button.vue @components/*
		@app/shared @app/core/services/user.service @app/main.ts @lib/utils @lib/utils.ts @utils/date @utils/date.ts @assets/logo.svg
		@styles/main.scss @src/main @src/main.ts @src/App.vue @src/utils/foo.tsx @shared/types @server/routers/index.ts @test/setup.ts
		@pages/index.astro @store/index.js @hooks/useX.ts @@/foo @~/components/x.vue`,
	"mail":     `@example.org @gmail.com @example.com. @company.io @users.noreply.github.com`,
	"versions": `@v4 @v4.1.2 @1.2.3 @latest @next @main @sha256:0123 @2x @3x.png @{upstream} @{u} @{1} @-1 @0`,
	"hosts":    `@https://example.org/a.md @http://x/y.txt @github.com/org/repo/README.md @example.com/docs/a.md @file:///etc/a.md @npm:foo`,
	"templates": `@Model.Name @Html.Raw(x) @Model.Json @ViewBag.Title @if(x) @foreach @csrf @yield('x') @section @endsection @Html.Partial
		@user.name @items.each @post.title @instance_variable @@class_variable @tree.children @self.x @event.target.value @click
		@click="x" @update:model-value @submit.prevent @keyup.enter @input=`,
	"nothing": `@ @. @.. @... @, @: @- @_ @* @** @() @[] @{} @<> @" @' @# @#x @! @? @= @~ @~/ @/ @./ @../ @.NET @.net @(x) @"x" @'x' @[x](y) @a:b @a|b @a/b/`,
}

// paths are tokens that name files.
var paths = map[string]string{
	"from the directory": `@./x @./docs/a.md @./a @../x.md @../../AGENTS.md @../shared/rules.md @./docs/*.md @./README @./docs/a.md, @./docs/a.md. @./.hidden`,
	"from home":          `@~/.claude/me.md @~/.claude/CLAUDE.md @~/notes.txt @~/docs/ @~/x`,
	"absolute":           `@/etc/motd.md @/etc/motd @/home/me/x @/Users/me/.claude/me.md @/docs/a.md @/a.txt @/tmp/x.json @C:\docs\a.md @C:/docs/a.md`,
	"Markdown":           `@AGENTS.md @CLAUDE.md @README.md @README.MD @CONTRIBUTING.md @docs/a.md @docs/a/b/c.md @docs/a.md#top @docs/a.md. @docs/a.md, @docs/a.md) @docs/a.md** @docs/a.md; @org/notes.md @my-dir/a.mdx @notes.txt @spec.rst @a.adoc @docs/ä.md @docs/my\ notes.md @文档/说明.md @docs/a.md。 @.cursor/rules/x.mdc @libs/core/CLAUDE.md @team/README.md`,
	"hidden":             `@.clinerules/*.md @.claude/rules/x @.github/workflows/ci.yml @.github/copilot-instructions.md @.cursorrules @.rules @.env.example @.editorconfig`,
	"data":               `@package.json @tsconfig.json @pyproject.toml @Cargo.toml @docker-compose.yml @config/app.yaml @docs/schema.json @packages/app/package.json @src/config.json @apps/web/tsconfig.json`,
	"sources":            `@src/main.go @lib/util.py @scripts/build.sh @crates/core/lib.rs @db/schema.sql @proto/api.proto @internal/x/y.go @tools/gen.ts @scripts/release.mjs @examples/app.tsx @docs/theme.css @apps/web/page.tsx`,
	"names":              `@README @README, @Makefile @LICENSE @Dockerfile @go.mod @docs/README @packages/x/Makefile`,
	"directories":        `@docs/ @.claude/ @src/ @./docs/ @specs/`,
}

// TestLooksLikePath measures both lists: no false alarm in the first, nothing
// missed in the second.
func TestLooksLikePath(t *testing.T) {
	for want, lists := range map[bool]map[string]string{false: notPaths, true: paths} {
		n := 0
		for kind, list := range lists {
			list = strings.ReplaceAll(list, `\ `, "\x00")
			for _, token := range strings.Fields(list) {
				token = strings.ReplaceAll(token, "\x00", `\ `)
				if n++; LooksLikePath(token) != want {
					t.Errorf("%s: LooksLikePath(%q) = %v", kind, token, !want)
				}
			}
		}
		t.Logf("%d tokens of %v", n, want)
	}
}
