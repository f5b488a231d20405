package trust

// Refusal says why something that a workspace declares is not done, and what the user can do about it.
type Refusal struct {
	// State is needs-trust or needs-approval.
	State string
	// Why is a sentence for the user.
	Why string
}

func (r *Refusal) Error() string { return r.Why }

// The states of a refusal.
const (
	NeedsTrust    = "needs-trust"
	NeedsApproval = "needs-approval"
)
