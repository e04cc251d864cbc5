package openaitest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// textCallFaults write tool calls into the text, as models do whose server has no parser for them.
func textCallFaults() []Fault {
	doc := func(what string) string { return "tool calls come as text: " + what }
	fault := func(name, what string, write func(name, arguments string) string) Fault {
		return Fault{Name: name, Doc: doc(what), Kind: Right, Needs: "calls", NoIDs: true, say: callsAsText(write)}
	}
	return []Fault{
		fault("text_call_xml", "<tool_call>{json}</tool_call> (Hermes, Qwen; hermes PR 83023, llama.cpp PR 28261)", func(name, arguments string) string {
			return fmt.Sprintf("<tool_call>\n{\"name\": %q, \"arguments\": %s}\n</tool_call>", name, arguments)
		}),
		fault("text_call_function", "<function=name><parameter=key>value</parameter></function> (Qwen coder; qwen-code #10692)", func(name, arguments string) string {
			return "<tool_call>\n<function=" + name + ">\n" + parameters(arguments, "<parameter=%s>\n%s\n</parameter>\n") + "</function>\n</tool_call>"
		}),
		fault("text_call_function_json", "<function=name>{json}</function> (Llama 3.1)", func(name, arguments string) string {
			return "<function=" + name + ">" + arguments + "</function>"
		}),
		fault("text_call_invoke", `<invoke name="…"><parameter name="…">value</parameter></invoke> (Claude-like models)`, func(name, arguments string) string {
			return "<function_calls>\n<invoke name=\"" + name + "\">\n" + parameters(arguments, "<parameter name=\"%s\">%s</parameter>\n") + "</invoke>\n</function_calls>"
		}),
		fault("text_call_json", `bare JSON {"name", "arguments"} (hermes PR 50279)`, func(name, arguments string) string {
			return fmt.Sprintf(`{"name": %q, "arguments": %s}`, name, arguments)
		}),
		fault("text_call_json_parameters", `bare JSON {"name", "parameters"} (Llama 3.x)`, func(name, arguments string) string {
			return fmt.Sprintf(`{"type": "function", "name": %q, "parameters": %s}`, name, arguments)
		}),
		fault("text_call_fenced", "JSON in a Markdown fence", func(name, arguments string) string {
			return fmt.Sprintf("```json\n{\"name\": %q, \"arguments\": %s}\n```", name, arguments)
		}),
		fault("text_call_mistral", "[TOOL_CALLS][{json}] (Mistral's tokens)", func(name, arguments string) string {
			return fmt.Sprintf(`[TOOL_CALLS][{"name": %q, "arguments": %s}]`, name, arguments)
		}),
	}
}

// callsAsText moves the calls into the text.
func callsAsText(write func(name, arguments string) string) func(*draft) {
	return func(d *draft) {
		for _, c := range d.reply.Calls {
			if d.reply.Text != "" {
				d.reply.Text += "\n"
			}
			d.reply.Text += write(c.Name, c.arguments())
		}
		d.reply.Calls = nil
	}
}

// parameters writes each argument by a pattern, texts as they are and everything else as JSON.
func parameters(arguments, pattern string) string {
	var b strings.Builder
	o := decodeObject([]byte(arguments))
	for _, key := range slices.Sorted(maps.Keys(o)) {
		value, ok := o[key].(string)
		if !ok {
			value = string(encode(o[key]))
		}
		fmt.Fprintf(&b, pattern, key, value)
	}
	return b.String()
}
