import {
  AssistantMessage,
  type AssistantMessageInit,
  ChatResponse,
  FinishReason,
  type ToolCall,
  type ToolInputDelta,
} from '@nestor-ai/core';
import type { ScriptedAnswer } from './scripted-answer.js';

/** The answer in one piece. */
export function toResponse(answer: ScriptedAnswer): ChatResponse {
  const text = answer.text ?? answer.chunks?.join('');
  return toEnd({ ...answer, ...(text !== undefined && { text }) });
}

/**
 * The answer as a stream: reasoning, calls of the provider, the text in chunks, sources and files,
 * then the tool calls and the end.
 */
export function toChunks(answer: ScriptedAnswer): ChatResponse[] {
  const { chunks = answer.text?.match(/\S+\s*|\s+/g) ?? [], reasoning, toolCalls, usage, finishReason } = answer;
  const { providerToolCalls = [], sources = [], media = [], streamToolInput = false } = answer;
  return [
    ...(reasoning ? [chunk({ reasoning })] : []),
    ...providerToolCalls.flatMap(({ result, isError, ...call }) => [
      ...(streamToolInput ? toInputChunks(call, true) : []),
      chunk({ providerToolCalls: [call] }),
      ...(result !== undefined || isError
        ? [chunk({ providerToolCalls: [{ ...call, result, ...(isError && { isError }) }] })]
        : []),
    ]),
    ...chunks.map((text) => chunk({ text })),
    ...sources.map((source) => chunk({ sources: [source] })),
    ...media.map((file) => chunk({ media: [file] })),
    ...(streamToolInput ? (toolCalls ?? []).flatMap((call) => toInputChunks(call)) : []),
    toEnd({ ...(toolCalls && { toolCalls }), ...(finishReason && { finishReason }), ...(usage && { usage }) }),
  ];
}

/** The beginning of a call, then its arguments in pieces of eight characters. */
function toInputChunks({ id, name, arguments: text }: ToolCall, isProviderExecuted?: true): ChatResponse[] {
  const deltas = ['', ...(text.match(/[^]{1,8}/g) ?? [])];
  return deltas.map((delta) => {
    const toolInput: ToolInputDelta = { id, name, delta, ...(isProviderExecuted && { isProviderExecuted }) };
    return new ChatResponse({ results: [{ output: new AssistantMessage(), toolInput }] });
  });
}

function chunk(output: AssistantMessageInit): ChatResponse {
  return new ChatResponse({ results: [{ output: new AssistantMessage(output) }] });
}

function toEnd(answer: ScriptedAnswer): ChatResponse {
  const { text, toolCalls, reasoning, providerToolCalls, sources, media, finishReason, usage } = answer;
  const reason = finishReason ?? (toolCalls?.length ? FinishReason.TOOL_CALLS : FinishReason.STOP);
  return new ChatResponse({
    results: [
      {
        output: new AssistantMessage({
          text: text ?? '',
          ...(toolCalls && { toolCalls }),
          ...(reasoning !== undefined && { reasoning }),
          ...(providerToolCalls && { providerToolCalls }),
          ...(sources && { sources }),
          ...(media && { media }),
        }),
        metadata: { finishReason: reason },
      },
    ],
    ...(usage && { metadata: { usage } }),
  });
}
