import { verifyTool } from '../../client/tool-selection.js';
import { problemsOf } from '../bootstrap-problems.js';
import type { AiApplication } from './ai-application.js';

/** Every tool can be offered to a model. */
export function checkToolDefinitions({ registry }: AiApplication): readonly string[] {
  return registry.found.flatMap(({ callback }) => problemsOf(() => verifyTool(callback)));
}
