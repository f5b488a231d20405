package commands

import "encoding/json"

// RawObject is a JSON object that passes through as it came.
type RawObject = json.RawMessage
