package sources

// registry is the one list of built-in sources. Its order is the order of the
// prompt inside a layer.
var registry = []func(*Input) []Source{
	// core
	model,
	identity,
	behaviour,
	tools,
	user,
	project,
	// cacheable
	environment,
	tree,
	Instructions,
	skillsSource,
	contextFiles,
	references,
	workspaceOfAgent,
	// the configuration's own, in whatever layer it says
	configured,
	// dynamic
	git,
	focus,
	buffers,
	diagnostics,
	active,
	historyDigest,
	attachments,
	contextCommand,
	outputSchema,
	date,
	mode,
}

// All lists the sources for one prompt, in the order of the registry.
func All(in *Input) []Source {
	var all []Source
	for _, group := range registry {
		all = append(all, group(in)...)
	}
	return all
}
