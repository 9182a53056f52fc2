/** @module @nestor-ai/core/testing */
export { CassetteException, type CassetteRequest, type Json, type JsonRecord } from './cassette/cassette-content.js';
export { recordModel, type RecordModelOptions } from './cassette/record-model.js';
export { RecordedChatModel } from './cassette/recorded-chat-model.js';
export type { Redaction } from './cassette/redaction.js';
export { overrideTool, type ToolSubstitute } from './override-tool.js';
export { type AnswerFunction, type ScriptedAnswer, type ScriptEntry, toolCall } from './scripted-answer.js';
export { ScriptedChatModel } from './scripted-chat-model.js';
