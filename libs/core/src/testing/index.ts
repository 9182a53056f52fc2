export { overrideTool, type ToolSubstitute } from './override-tool.js';
export { ScriptedChatModel, type ScriptedAnswer, type ScriptEntry, toolCall } from './scripted-chat-model.js';
