package agent

import "go.uber.org/zap"

// Logged logs what a run does, without the texts of anybody.
func Logged(log *zap.Logger) func(Event) {
	return func(e Event) {
		switch e := e.(type) {
		case Started:
			log.Info(e.Kind(), zap.String("model", e.Model))
		case StepStarted:
			log.Debug(e.Kind(), zap.Int("iteration", e.Iteration))
		case ReplyFinished:
			log.Info(e.Kind(), zap.Int("iteration", e.Iteration), zap.String("finish", e.Finish),
				zap.Int("input", e.Usage.Input), zap.Int("cached", e.Usage.Cached), zap.Int("output", e.Usage.Output))
		case ReplyCut:
			log.Warn(e.Kind(), zap.Bool("again", e.Again))
		case ToolFinished:
			log.Info(e.Kind(), zap.String("tool", e.Name), zap.String("status", e.Status), zap.String("code", e.Code), zap.Strings("letters", e.Letters))
		case DecisionsDelivered, PromptDelivered:
			log.Info(e.Kind())
		case Finished:
			log.Info(e.Kind(), zap.String("reason", string(e.Reason)), zap.Int("iterations", e.Iterations))
		case TextDelta, ReasoningDelta:
		default:
			log.Debug(e.Kind())
		}
	}
}
