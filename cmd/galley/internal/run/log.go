package run

import (
	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent"
)

// LogEvent logs what a run does, without the texts.
func LogEvent(log *zap.Logger, e agent.Event) {
	switch e := e.(type) {
	case agent.StepStarted:
		log.Debug(e.Kind(), zap.Int("iteration", e.Iteration))
	case agent.ToolFinished:
		log.Info(e.Kind(), zap.String("tool", e.Name), zap.String("status", e.Status), zap.String("code", e.Code), zap.Strings("letters", e.Letters))
	case agent.Finished:
		log.Info(e.Kind(), zap.String("reason", string(e.Reason)), zap.Int("iterations", e.Iterations))
	case agent.TextDelta, agent.ReasoningDelta:
	default:
		log.Debug(e.Kind())
	}
}
