import { isJsonObject, readSafely } from '@nestor-ai/schema';
import { createToolDefinition, policiesOf } from '@nestor-ai/core/internal';
import type { AnnouncedTool, ToolsAnswer } from './messages.js';

/** How many tools a service may announce. */
const MAX_TOOLS = 1000;

/**
 * The answer of a service, without the tools that cannot be used.
 *
 * @returns undefined if it is no such answer
 */
export function readToolsAnswer(content: Readonly<Record<string, unknown>>): ToolsAnswer | undefined {
  const { question, service, instance, startedAt, isAddressed, revision, tools } = content as Partial<ToolsAnswer>;
  const texts = [question, service, instance, revision];
  if (!texts.every((text) => typeof text === 'string') || !Number.isFinite(startedAt)) return undefined;
  if (typeof isAddressed !== 'boolean' || (tools !== undefined && !Array.isArray(tools))) return undefined;
  const usable = tools?.slice(0, MAX_TOOLS).filter(isUsable);
  return { ...(content as unknown as ToolsAnswer), ...(usable && { tools: usable }) };
}

function isUsable(tool: unknown): tool is AnnouncedTool {
  if (!isJsonObject(tool)) return false;
  const announced = tool as unknown as AnnouncedTool;
  if (typeof announced.description !== 'string' || !isJsonObject(announced.inputSchema)) return false;
  // The checks of a tool that the application declares itself.
  return readSafely(() => [createToolDefinition(announced), policiesOf(announced)]) !== undefined;
}
