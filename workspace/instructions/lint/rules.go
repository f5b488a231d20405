package lint

import (
	"slices"
	"strings"
	"sync"
)

// rules is the table of all rules, sorted by code.
var rules = sync.OnceValue(func() []Rule {
	all := slices.Concat(fromEngine(), fromHeaders(), fromGlobs(), []Rule{
		budgetExcluded,
		budgetTruncated,
		cursorGlobsNotPlain,
		emptyOverrideShadows,
		fileTooLong,
		frontmatterType,
		globCommaNotSplit,
		globDiffersBetweenTools,
		globMatchesNothing,
		hiddenByClaudeMD,
		importNotSupported,
		importOutsideRootAsks,
		needsSetting,
		notLoadedFromHere,
		notReadByTool,
		ruleNeverApplies,
		ruleNeverAutomatic,
		scopeIgnoredByTool,
		shadowedByName,
		shadowedBySibling,
		skillCompatibilityTooLong,
		skillDescriptionMissing,
		skillDescriptionTooLong,
		skillKeyType,
		skillNameInvalid,
		skillNameMismatch,
		symlinkAsText,
		wrongCaseName,
	})
	slices.SortStableFunc(all, func(a, b Rule) int { return strings.Compare(a.Code, b.Code) })
	return all
})
