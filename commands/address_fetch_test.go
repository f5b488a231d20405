package commands

import (
	"context"
	"crypto/x509"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"foreword/workspace/fsys"
)

// site is a web server with a certificate of its own, and a fetcher that knows it.
func site(t *testing.T, handler http.HandlerFunc) (server *httptest.Server, fetcher AddressFetcher) {
	t.Helper()
	server = httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return server, NewAddressFetcher(roots)
}

func TestFetch(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("open")) }))
	defer plain.Close()
	server, fetcher := site(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/rules.md":
			w.Header().Set("ETag", `"1"`)
			w.Header().Set("Last-Modified", "Mon, 30 Nov 2026 12:00:00 GMT")
			if r.Header.Get("If-None-Match") == `"1"` {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			if r.Header.Get("Cookie") != "" || r.Header.Get("Authorization") != "" || r.Header.Get("Referer") != "" {
				t.Errorf("the question tells more than it must: %v", r.Header)
			}
			_, _ = w.Write([]byte("the rules"))
		case "/moved":
			http.Redirect(w, r, "/rules.md", http.StatusFound)
		case "/to-http":
			http.Redirect(w, r, plain.URL, http.StatusFound)
		case "/to-password":
			http.Redirect(w, r, "https://me:pw@"+r.Host+"/rules.md", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/page":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte("<html>"))
		case "/large":
			_, _ = w.Write([]byte(strings.Repeat("x", fsys.MaxFileSize+1)))
		case "/largest":
			_, _ = w.Write([]byte(strings.Repeat("x", fsys.MaxFileSize)))
		case "/304":
			w.WriteHeader(http.StatusNotModified)
		default:
			http.NotFound(w, r)
		}
	})
	for _, c := range []struct {
		address, etag string
		public        bool
		want, problem string
	}{
		{address: "/rules.md", want: "the rules"},
		{address: "/rules.md", etag: `"1"`, want: "unchanged"},
		{address: "/rules.md", etag: `"0"`, want: "the rules"},
		{address: "/moved", want: "the rules"},
		{address: "/largest", want: strings.Repeat("x", fsys.MaxFileSize)},
		{address: "/to-http", problem: "it leads on to another one: only https addresses are fetched, and it begins with http:"},
		{address: "/to-password", problem: "it leads on to another one: it holds a name or password"},
		{address: "/round", problem: "it leads on more than 5 times"},
		{address: "/page", problem: "it is a web page; name the address of the plain text"},
		{address: "/large", problem: "it is larger than 1048576 bytes"},
		{address: "/none", problem: "it answers 404 Not Found"},
		{address: "/304", problem: "it answers 304 Not Modified"},
		{address: "/rules.md", public: true, problem: "it leads to 127.0.0.1, which is this machine or a private network; only the user's own foreword.toml may name such an address"},
		{address: plain.URL, problem: "only https addresses are fetched, and it begins with http:"},
		{address: "https://me:pw@example.com/x", problem: "it holds a name or password"},
		{address: "https:///x", problem: "it names no host"},
	} {
		address := c.address
		if strings.HasPrefix(address, "/") {
			address = server.URL + address
		}
		answer, err := fetcher.Fetch(t.Context(), AddressQuestion{Address: address, ETag: c.etag, Private: !c.public})
		got := answer.Raw
		if answer.Unchanged {
			got = "unchanged"
		}
		problem := ""
		if err != nil {
			problem = err.Error()
		}
		if got != c.want || problem != c.problem {
			t.Errorf("%s: %q, %q; want %q, %q", c.address, clipped(got), problem, clipped(c.want), c.problem)
		}
		if c.want == "the rules" && answer.ETag != `"1"` {
			t.Errorf("%s: no ETag", c.address)
		}
	}
	// A certificate that nobody vouches for is none.
	if _, err := NewAddressFetcher(x509.NewCertPool()).Fetch(t.Context(), AddressQuestion{Address: server.URL + "/rules.md", Private: true}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a stranger's certificate: %v", err)
	}
}

func clipped(text string) string { return text[:min(len(text), 40)] }

// A host that takes the question and never answers costs no more than its
// caller's patience.
func TestFetchEndsWithItsContext(t *testing.T) {
	asked, leave := make(chan struct{}), make(chan struct{})
	server, fetcher := site(t, func(http.ResponseWriter, *http.Request) {
		close(asked)
		<-leave
	})
	defer close(leave)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if _, err := fetcher.Fetch(ctx, AddressQuestion{Address: server.URL, Private: true}); err == nil || ctx.Err() == nil {
		t.Errorf("%v, %v", err, ctx.Err())
	}
	if err := plainFailure(context.DeadlineExceeded); err.Error() != "no answer within 5s" {
		t.Error(err)
	}
	if err := plainFailure(errors.New(" x ")); err.Error() != "x" {
		t.Error(err)
	}
}

func TestPublicAddress(t *testing.T) {
	for _, at := range []string{"93.184.216.34:443", "[2606:2800:220:1:248:1893:25c8:1946]:443"} {
		if err := publicAddress(at); err != nil {
			t.Error(err)
		}
	}
	for _, at := range []string{
		"127.0.0.1:443", "[::1]:443", "10.1.2.3:443", "172.16.0.1:443", "192.168.1.1:443", "169.254.169.254:80", "[fe80::1]:443", "[fd00::1]:443",
		"0.0.0.0:443", "[::]:443", "100.64.0.1:443", "[::ffff:127.0.0.1]:443", "[64:ff9b::7f00:1]:443", "[2002:7f00:1::]:443", "224.0.0.1:443", "255.255.255.255:443",
		"198.18.0.1:443", "240.0.0.1:443", "host:443", "",
	} {
		if publicAddress(at) == nil {
			t.Errorf("%s is taken for public", at)
		}
	}
}
