package tokens

import (
	"encoding/base64"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// corpora are the texts that figures are given for, each about corpusSize bytes: the sources of the Go toolchain, what its
// comments say, the same code squeezed as minifiers do it, and random text with the make-up of its kind.
const corpusSize = 1 << 20

var corpora = sync.OnceValue(func() map[string]string {
	r := rand.New(rand.NewPCG(1, 0x746f6b))
	files := goFiles(r)
	goText, prose, minified := goCorpus(files[:len(files)/2]), proseCorpus(files[len(files)/2:]), minifiedCorpus(r, files)
	raw := make([]byte, corpusSize*3/4)
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	texts := map[string]string{
		"prose":      prose,
		"go":         goText,
		"minjs":      minified,
		"cjk":        cjkCorpus(r),
		"base64":     base64.StdEncoding.EncodeToString(raw),
		"chat":       chatCorpus(r, prose, goText),
		"whitespace": whitespaceCorpus(r),
	}
	for name, text := range texts {
		texts[name] = Valid(text)
	}
	return texts
})

// corpusNames orders corpora.
var corpusNames = []string{"prose", "go", "chat", "minjs", "base64", "cjk", "whitespace"}

// corpus returns one of corpora; it fails where the sources of the Go toolchain are not at hand.
func corpus(tb testing.TB, name string) string {
	tb.Helper()
	if _, err := os.Stat(filepath.Join(goRoot(), "src", "fmt")); err != nil {
		tb.Fatal("the sources of the Go toolchain are wanted, which every installation has: ", err)
	}
	return corpora()[name]
}

func goRoot() string {
	return runtime.GOROOT() //nolint:staticcheck // tests run where they are built
}

func goFiles(r *rand.Rand) []string {
	var files []string
	for _, dir := range []string{"net", "go", "encoding", "os", "text", "crypto", "runtime", "database", "html", "strings", "sync", "time"} {
		_ = filepath.WalkDir(filepath.Join(goRoot(), "src", dir), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case strings.HasSuffix(path, ".go") && !strings.Contains(path, "tables") && !strings.Contains(path, "entity"):
				files = append(files, path)
			}
			return nil
		})
	}
	slices.Sort(files)
	r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	return files
}

func goCorpus(files []string) string {
	var b strings.Builder
	for _, f := range files {
		if b.Len() >= corpusSize {
			break
		}
		text, _ := os.ReadFile(f)
		b.Write(text)
	}
	return b.String()
}

func proseCorpus(files []string) string {
	var b strings.Builder
	for _, f := range files {
		if b.Len() >= corpusSize {
			break
		}
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, c := range file.Comments {
			if text := c.Text(); len(text) > 200 && !strings.Contains(text, "\t") && !strings.Contains(text, "Copyright") {
				b.WriteString(text + "\n")
			}
		}
	}
	return b.String()
}

// minifiedCorpus is Go code written as a minifier writes JavaScript: no space that is not needed, short names.
func minifiedCorpus(r *rand.Rand, files []string) string {
	const letters = "etnriaoscludfhpmgvbywxkSCTEAIDMPRNLFHOBGUVWKXYjqzQZJ$_"
	names := map[string]string{}
	rename := func(name string) string {
		if len(name) > 7 || r.IntN(3) == 0 { // properties keep their names
			return strings.ToLower(name[:1]) + name[1:]
		}
		if names[name] == "" {
			short := string(letters[r.IntN(len(letters))])
			if r.IntN(3) > 0 {
				short += string(letters[r.IntN(52)])
			}
			names[name] = short
		}
		return names[name]
	}
	keywords := map[token.Token]string{token.FUNC: "function", token.VAR: "let", token.RANGE: "of", token.DEFINE: "=", token.GO: "await", token.TYPE: "class"}
	var b strings.Builder
	for _, f := range files {
		if b.Len() >= corpusSize {
			break
		}
		text, _ := os.ReadFile(f)
		set := token.NewFileSet()
		var s scanner.Scanner
		s.Init(set.AddFile(f, -1, len(text)), text, nil, 0)
		word := false
		for {
			_, tok, literal := s.Scan()
			if tok == token.EOF {
				break
			}
			out, isWord := tok.String(), tok.IsKeyword()
			switch {
			case tok == token.IDENT:
				out, isWord = rename(literal), true
			case tok == token.SEMICOLON:
				out = ";"
			case tok.IsLiteral():
				out, isWord = literal, tok != token.STRING
			case keywords[tok] != "":
				out = keywords[tok]
			}
			if isWord && word {
				b.WriteByte(' ')
			}
			b.WriteString(out)
			word = isWord
		}
		clear(names)
	}
	return b.String()
}

func chatCorpus(r *rand.Rand, prose, goText string) string {
	paragraphs := strings.Split(prose, "\n\n")
	lines := strings.SplitAfter(goText, "\n")
	var b strings.Builder
	for b.Len() < corpusSize {
		for range 1 + r.IntN(3) {
			b.WriteString(paragraphs[r.IntN(len(paragraphs))] + "\n\n")
		}
		at := r.IntN(len(lines) - 80)
		b.WriteString("```go\n" + strings.Join(lines[at:at+10+r.IntN(60)], "") + "```\n\n")
	}
	return b.String()
}

func whitespaceCorpus(r *rand.Rand) string {
	var b strings.Builder
	for b.Len() < corpusSize {
		for range 1 + r.IntN(200) {
			b.WriteByte(" \t  \n \r "[r.IntN(8)])
		}
		if r.IntN(3) == 0 {
			b.WriteByte('x')
		}
	}
	return b.String()
}

// cjkCorpus strings common words of Chinese and Japanese together, frequent ones more often.
func cjkCorpus(r *rand.Rand) string {
	chinese := strings.Fields(`的 是 在 了 和 有 不 我们 可以 一个 如果 这个 使用 文件 系统 命令 选项 用户 数据 程序 进程 返回 错误 默认 指定
		函数 参数 目录 输出 输入 信息 时间 内容 支持 需要 通过 进行 所有 其他 名称 格式 显示 设置 网络 服务器 连接 操作 执行 内存 字符 字符串
		地址 标准 版本 编译 语言 模型 提示 代码 编辑器 窗口 令牌 缓存 结果 问题 学习 研究 中国 历史 社会 经济 发展 北京 大学 学生 老师 今天
		明天 城市 交通 环境 保护 健康 音乐 艺术 传统 文化 科学 技术 创新 能源 气候 变化 国际 合作 和平 农业 工业 教育 图书馆 咖啡 苹果 春节
		并且 因为 所以 但是 或者 由于 根据 关于 之后 之前 同时 已经 必须 不能 没有 这些 那些 每个 另外 例如 即 将 被 把 从 到 对 为 与 及 其`)
	japanese := strings.Fields(`の を に は が で と も する した して いる ある この その ファイル コマンド オプション システム ユーザー
		プロセス 関数 引数 場合 指定 使用 表示 出力 入力 文字列 返す 設定 デフォルト エラー ディレクトリ メモリ サーバー 接続 実行 標準 変更 こと ため
		もの とき から まで ます です ません された できる 名前 形式 時間 情報 対応 処理 言語 日本 東京 大学 学生 先生 今日 明日 天気 電車 料理 音楽
		映画 友達 家族 仕事 会社 世界 歴史 文化 科学 技術 環境 自然 季節 春 夏 秋 冬 山 川 海 空 新しい 古い 大きい 小さい 美しい 難しい`)
	stops := []string{"，", "。", "、", "：", "；", "（", "）", "。\n", "“", "”", " Go ", "1024", "！", "？\n"}
	var b strings.Builder
	sentence := func(words []string) {
		for range 3 + r.IntN(12) {
			b.WriteString(words[int(float64(len(words))*r.Float64()*r.Float64())])
		}
		b.WriteString(stops[r.IntN(len(stops))])
	}
	for b.Len() < corpusSize*6/10 {
		sentence(chinese)
	}
	for b.Len() < corpusSize {
		sentence(japanese)
	}
	return b.String()
}
