package commands

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"foreword/workspace/fsys"
)

// AddressFetcher gets the text of an address of instructions.files.
type AddressFetcher interface {
	// Fetch asks an address once. An error is for the person who named it.
	Fetch(ctx context.Context, question AddressQuestion) (AddressAnswer, error)
}

// AddressQuestion is what is asked of an address.
type AddressQuestion struct {
	// Address begins with https://.
	Address string
	// ETag and Modified are those of the last answer; empty for none.
	ETag, Modified string
	// Private tells that the address may be one of this machine or of a private
	// network, since the user named it himself.
	Private bool
}

// AddressAnswer is what an address said.
type AddressAnswer struct {
	// Unchanged tells that the last text still holds.
	Unchanged bool
	// Raw is the text as it came.
	Raw string
	// ETag and Modified are for the next question.
	ETag, Modified string
}

// fetchTimeout bounds one fetch in all: opencode gives the addresses of its
// setting instructions five seconds (anomalyco/opencode
// packages/opencode/src/session/instruction.ts).
const fetchTimeout = 5 * time.Second

// maxRedirects is more than a page that moved needs.
const maxRedirects = 5

// NewAddressFetcher returns the fetcher that asks the network: https alone, also
// after a redirect, and no address of this machine or of a private network
// unless the question allows it. It sends no cookie and no name of the user,
// and goes through no proxy, which would hide where the address leads. Roots
// are the certificates that count; nil for those of the system.
func NewAddressFetcher(roots *x509.CertPool) AddressFetcher { return webFetcher{roots} }

type webFetcher struct{ roots *x509.CertPool }

func (f webFetcher) Fetch(ctx context.Context, q AddressQuestion) (AddressAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, q.Address, nil)
	if err != nil {
		return AddressAnswer{}, errors.New("it is no address")
	}
	if err := mayAsk(request.URL); err != nil {
		return AddressAnswer{}, err
	}
	request.Header.Set("User-Agent", "foreword")
	request.Header.Set("Accept", "text/markdown, text/plain, text/*;q=0.8")
	if q.ETag != "" {
		request.Header.Set("If-None-Match", q.ETag)
	}
	if q.Modified != "" {
		request.Header.Set("If-Modified-Since", q.Modified)
	}
	response, err := f.client(q.Private).Do(request)
	if err != nil {
		return AddressAnswer{}, plainFailure(err)
	}
	defer response.Body.Close()
	answer := AddressAnswer{ETag: response.Header.Get("ETag"), Modified: response.Header.Get("Last-Modified")}
	switch {
	case response.StatusCode == http.StatusNotModified && (q.ETag != "" || q.Modified != ""):
		answer.Unchanged = true
		return answer, nil
	case response.StatusCode != http.StatusOK:
		return AddressAnswer{}, fmt.Errorf("it answers %d %s", response.StatusCode, http.StatusText(response.StatusCode))
	}
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind == "text/html" || kind == "application/xhtml+xml" {
		return AddressAnswer{}, errors.New("it is a web page; name the address of the plain text")
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, fsys.MaxFileSize+1))
	if err != nil {
		return AddressAnswer{}, plainFailure(err)
	}
	if len(raw) > fsys.MaxFileSize {
		return AddressAnswer{}, fmt.Errorf("it is larger than %d bytes", fsys.MaxFileSize)
	}
	answer.Raw = string(raw)
	return answer, nil
}

// client makes a client for one fetch, which leaves no connection open.
func (f webFetcher) client(private bool) *http.Client {
	dialer := &net.Dialer{Timeout: fetchTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		// Here the name is resolved: a name that leads home is found out, too.
		if private {
			return nil
		}
		return publicAddress(address)
	}}
	return &http.Client{
		Transport: &http.Transport{
			DialContext: dialer.DialContext, DisableKeepAlives: true, TLSHandshakeTimeout: fetchTimeout,
			TLSClientConfig: &tls.Config{RootCAs: f.roots, MinVersion: tls.VersionTLS12},
		},
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			next.Header.Del("Referer")
			if len(via) > maxRedirects {
				return fmt.Errorf("it leads on more than %d times", maxRedirects)
			}
			if err := mayAsk(next.URL); err != nil {
				return fmt.Errorf("it leads on to another one: %w", err)
			}
			return nil
		},
	}
}

// mayAsk refuses addresses that are not asked, whoever names them.
func mayAsk(u *url.URL) error {
	switch {
	case u.Scheme != "https":
		return fmt.Errorf("only https addresses are fetched, and it begins with %s:", u.Scheme)
	case u.User != nil:
		return errors.New("it holds a name or password")
	case u.Host == "":
		return errors.New("it names no host")
	}
	return nil
}

// notPublic are the networks that lead to this machine or its neighbours, or
// nowhere, and that netip knows no question for (IANA special-purpose address
// registries, 2026-11-30).
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"),
	// What stands for an IPv4 address inside, which may be any of those above.
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2002::/16"),
}

// publicAddress refuses what is not an address of the open network.
func publicAddress(hostPort string) error {
	at, err := netip.ParseAddrPort(hostPort)
	if err != nil {
		return fmt.Errorf("cannot tell where it leads: %w", err)
	}
	ip := at.Addr().Unmap()
	refused := !ip.IsGlobalUnicast() || ip.IsPrivate()
	for _, network := range notPublic {
		refused = refused || network.Contains(ip)
	}
	if refused {
		return fmt.Errorf("it leads to %s, which is this machine or a private network; only the user's own foreword.toml may name such an address", ip)
	}
	return nil
}

// plainFailure is a failure without the address, which the reader knows.
func plainFailure(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		if at.Timeout() {
			return fmt.Errorf("no answer within %s", fetchTimeout)
		}
		err = at.Err
	}
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Err != nil {
		err = dial.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no answer within %s", fetchTimeout)
	}
	return errors.New(strings.TrimSpace(err.Error()))
}
