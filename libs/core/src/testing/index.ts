export { ScriptedChatModel, type ScriptedAnswer, type ScriptEntry, toolCall } from './scripted-chat-model.js';
