package openaitest

// What the faults of tool calls have in common: visiting calls and moving their pieces.

func wholeCalls(d *draft) { d.form.whole = true }

func eachCall(change func(call object, head bool)) func(*draft) {
	return func(d *draft) { d.eachCall(func(call, _ object, head bool) { change(call, head) }) }
}

func eachFunction(change func(function object)) func(*draft) {
	return func(d *draft) { d.eachCall(func(_, function object, _ bool) { change(function) }) }
}

func changeArguments(function object, change func(string) any) {
	if text, ok := function["arguments"].(string); ok {
		function["arguments"] = change(text)
	}
}

// emptyArguments changes only calls whose arguments are {}.
func emptyArguments(change func(function object)) func(*draft) {
	return eachFunction(func(function object) {
		if function["arguments"] == "{}" {
			change(function)
		}
	})
}

// idEach gives every piece of a call the call's id.
func (d *draft) idEach() {
	ids := map[any]any{}
	d.eachCall(func(call, _ object, head bool) {
		if head {
			ids[call["index"]] = call["id"]
		}
		call["id"] = ids[call["index"]]
	})
}

// joinCalls puts all calls of a stream into the first chunk that has one.
func joinCalls(d *draft) {
	var first object
	kept := d.chunks[:0]
	for _, o := range d.chunks {
		said := deltaOf(o)
		calls, has := said["tool_calls"].([]any)
		if has && first != nil {
			first["tool_calls"] = append(first["tool_calls"].([]any), calls...)
			continue
		}
		if has {
			first = said
		}
		kept = append(kept, o)
	}
	d.chunks = kept
}

// lateNames moves the name of a call from its head to its last piece.
func lateNames(d *draft) {
	heads, lasts := map[any]object{}, map[any]object{}
	d.eachCall(func(call, function object, head bool) {
		if head {
			heads[call["index"]] = function
		}
		lasts[call["index"]] = function
	})
	for i, head := range heads {
		if last := lasts[i]; d.whole == nil {
			name := head["name"]
			delete(head, "name")
			last["name"] = name
		}
	}
}

// deltaOf is the delta of a chunk's choice, nil if it has none.
func deltaOf(o object) object {
	choices, _ := o["choices"].([]any)
	if len(choices) == 0 {
		return nil
	}
	choice, _ := choices[0].(object)
	said, _ := choice["delta"].(object)
	return said
}

// repeatHeads gives the last piece of each call the call's id, type and name again, and the very last the finish_reason.
func repeatHeads(d *draft) {
	heads, lasts := map[any]object{}, map[any]object{}
	d.eachCall(func(call, _ object, head bool) {
		if head {
			heads[call["index"]] = call
		}
		lasts[call["index"]] = call
	})
	if d.whole != nil {
		return
	}
	for i, head := range heads {
		last := lasts[i]
		last["id"], last["type"] = head["id"], head["type"]
		last["function"].(object)["name"] = head["function"].(object)["name"]
	}
	d.finishWithContent()
}
