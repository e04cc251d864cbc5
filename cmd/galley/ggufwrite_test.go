package main

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
)

// The sizes of the network, as small as a server takes them.
const (
	codeSize    = 64
	headSize    = 16
	forwardSize = 32
)

// code is the direction that stands for a token: far from that of any other.
func code(token int) []float32 {
	bits := rand.NewPCG(uint64(token), 0).Uint64()
	c := make([]float32, codeSize)
	for i := range c {
		c[i] = float32(bits>>i&1)*2 - 1
	}
	return c
}

// tensor is a table of weights.
type tensor struct {
	name  string
	shape []uint64
	data  []float32
}

// tensors are the weights: a token comes in as the code of the one it leads to, the layer adds nothing, and what goes out
// is the token of that code.
func (v *vocabulary) tensors() []tensor {
	var in, out []float32
	for id, next := range v.next {
		in = append(in, code(next)...)
		out = append(out, code(id)...)
	}
	all := []tensor{
		{"token_embd.weight", []uint64{codeSize, uint64(len(v.next))}, in},
		{"output.weight", []uint64{codeSize, uint64(len(v.next))}, out},
	}
	for _, name := range []string{"output_norm.weight", "blk.0.attn_norm.weight", "blk.0.ffn_norm.weight"} {
		all = append(all, tensor{name, []uint64{codeSize}, slices.Repeat([]float32{1}, codeSize)})
	}
	for _, t := range []tensor{
		{name: "blk.0.attn_q.weight", shape: []uint64{codeSize, headSize}},
		{name: "blk.0.attn_k.weight", shape: []uint64{codeSize, headSize}},
		{name: "blk.0.attn_v.weight", shape: []uint64{codeSize, headSize}},
		{name: "blk.0.attn_output.weight", shape: []uint64{headSize, codeSize}},
		{name: "blk.0.ffn_gate.weight", shape: []uint64{codeSize, forwardSize}},
		{name: "blk.0.ffn_up.weight", shape: []uint64{codeSize, forwardSize}},
		{name: "blk.0.ffn_down.weight", shape: []uint64{forwardSize, codeSize}},
	} {
		t.data = make([]float32, t.shape[0]*t.shape[1])
		all = append(all, t)
	}
	return all
}

// metadata is what the file says of itself, names and values by turns.
func (v *vocabulary) metadata(template string) []any {
	return []any{
		"general.architecture", "llama",
		"general.name", "scripted",
		"llama.context_length", uint32(1 << 17),
		"llama.embedding_length", uint32(codeSize),
		"llama.block_count", uint32(1),
		"llama.feed_forward_length", uint32(forwardSize),
		"llama.attention.head_count", uint32(1),
		"llama.attention.key_length", uint32(headSize),
		"llama.attention.value_length", uint32(headSize),
		"llama.attention.layer_norm_rms_epsilon", float32(1e-5),
		"llama.rope.dimension_count", uint32(headSize),
		"llama.vocab_size", uint32(len(v.texts)),
		"tokenizer.ggml.model", "llama",
		"tokenizer.ggml.tokens", v.texts,
		"tokenizer.ggml.scores", make([]float32, len(v.texts)),
		"tokenizer.ggml.token_type", v.kinds,
		"tokenizer.ggml.bos_token_id", uint32(1),
		"tokenizer.ggml.eos_token_id", uint32(endToken),
		"tokenizer.ggml.unknown_token_id", uint32(0),
		"tokenizer.ggml.add_bos_token", false,
		"tokenizer.ggml.add_space_prefix", false,
		"tokenizer.chat_template", template,
	}
}

// file is the model file.
func (v *vocabulary) file(template string) []byte {
	var f, weights gguf
	meta, tensors := v.metadata(template), v.tensors()
	f.put([]byte("GGUF"), uint32(3), uint64(len(tensors)), uint64(len(meta)/2))
	for i := 0; i < len(meta); i += 2 {
		f.put(meta[i])
		f.value(meta[i+1])
	}
	for _, t := range tensors {
		f.put(t.name, uint32(len(t.shape)), t.shape, uint32(0), uint64(weights.Len()))
		weights.put(t.data)
		weights.align()
	}
	f.align()
	return append(f.Bytes(), weights.Bytes()...)
}

// gguf is a file that is being written.
type gguf struct{ bytes.Buffer }

func (f *gguf) put(values ...any) {
	for _, v := range values {
		if text, ok := v.(string); ok {
			f.put(uint64(len(text)), []byte(text))
			continue
		}
		_ = binary.Write(f, binary.LittleEndian, v) // numbers and bytes into memory
	}
}

// value writes a value behind the number of its type.
func (f *gguf) value(v any) {
	const number, numbers, floats, truth, text, list = 4, 5, 6, 7, 8, 9
	switch v := v.(type) {
	case uint32:
		f.put(uint32(number), v)
	case float32:
		f.put(uint32(floats), v)
	case bool:
		f.put(uint32(truth), v)
	case string:
		f.put(uint32(text), v)
	case []int32:
		f.put(uint32(list), uint32(numbers), uint64(len(v)), v)
	case []float32:
		f.put(uint32(list), uint32(floats), uint64(len(v)), v)
	case []string:
		f.put(uint32(list), uint32(text), uint64(len(v)))
		for _, each := range v {
			f.put(each)
		}
	}
}

// align fills up with zeros to where the next part may begin.
func (f *gguf) align() {
	const step = 32
	f.Write(make([]byte, (step-f.Len()%step)%step))
}
