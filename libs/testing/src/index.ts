/** @module @nestor-ai/testing */
export { CassetteException, type CassetteRequest, type Json, type JsonRecord } from './cassette/cassette-content.js';
export { recordModel, type RecordModelOptions } from './cassette/record-model.js';
export { RecordedChatModel } from './cassette/recorded-chat-model.js';
export type { Redaction } from './cassette/redaction.js';
export { costOfTurn, evaluate, type EvaluateOptions, type EvaluationQuestion } from './evaluation/evaluate.js';
export { Evaluation } from './evaluation/evaluation.js';
export type { EvaluatedTurn, EvaluationCell } from './evaluation/evaluation-cell.js';
export { expectTurn, TurnExpectation } from './evaluation/expect-turn.js';
export { overrideTool, type ToolSubstitute } from './override-tool.js';
export { type ReplayingApplication, replayTurn, type ReplayTurnOptions } from './replay/replay-turn.js';
export { turnCassette, type TurnCassetteOptions } from './replay/turn-cassette.js';
export { type TurnDrift, TurnDriftException, type TurnDriftKind } from './replay/turn-drift.js';
export { type AnswerFunction, type ScriptedAnswer, type ScriptEntry, toolCall } from './scripted-answer.js';
export { ScriptedChatModel } from './scripted-chat-model.js';
export { recordTurn, type RecordTurnOptions } from './turn/record-turn.js';
export type { ModelCallRecord, RecordedOptions, ToolCallRecord } from './turn/recorded-calls.js';
export { RecordedTurn } from './turn/recorded-turn.js';
