import { Logger } from '@nestjs/common';
import {
  errorTypeOf,
  FunctionToolCallback,
  type JsonSchema,
  LOOP_TOOL,
  type ToolContext,
  ToolResult,
} from '@nestor-ai/core';
import type { ToolSearchResponse } from '../tool-index/tool-index.js';
import { TOOL_SEARCH_TOOL_NAME } from './found-names.js';

/** The arguments of a search. */
export interface ToolSearchInput {
  readonly query: string;
  readonly maxResults?: number | null;
  readonly categoryFilter?: string | null;
}

/** Answers a search of the model. */
export type ToolSearch = (input: ToolSearchInput, context: ToolContext) => Promise<ToolSearchResponse>;

/** The maximum number of categories that the model is told about. */
const MAX_CATEGORIES = 30;

const DESCRIPTION =
  'Finds tools by what they do. Call it when something is to be done or looked up and none of the tools you have fits. It searches ' +
  'names, descriptions and parameters, and answers with the names of the tools that fit best; these can be called from then on.';

/** The search tool for one combination of categories. */
export class ToolSearchTool extends FunctionToolCallback<ToolSearchInput> {
  readonly [LOOP_TOOL] = true;

  constructor(search: ToolSearch, maxResults: number, categories: readonly string[]) {
    super({
      name: TOOL_SEARCH_TOOL_NAME,
      description: DESCRIPTION,
      inputSchema: schemaOf(maxResults, categories),
      unknownArguments: 'strip',
      toolFunction: (input, context) => answer(search, input, context, categories),
    });
  }
}

function schemaOf(maxResults: number, categories: readonly string[]): JsonSchema {
  const listed =
    categories.length > 0 && categories.length <= MAX_CATEGORIES ? ` One of: ${categories.join(', ')}.` : '';
  return {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        description: 'What the tool has to do, in a few words: action and object, such as "send an email".',
      },
      maxResults: { type: 'integer', description: `How many tools to find. Default: ${maxResults}.` },
      categoryFilter: { type: 'string', description: `Finds only tools of this category.${listed}` },
    },
    required: ['query'],
  };
}

const CUT =
  'The search has taken too long, and has not looked at all tools. Search again for plain words, or with a simpler pattern.';

const logger = new Logger('ToolSearch');

/** If a search fails, the model gets an error text, and the turn continues without the result. */
async function answer(
  search: ToolSearch,
  input: ToolSearchInput,
  context: ToolContext,
  categories: readonly string[],
): Promise<ToolResult> {
  try {
    const { toolReferences, searchMetadata } = await search(input, context);
    const names = toolReferences.map(({ toolName }) => toolName);
    const { isCut } = searchMetadata;
    if (names.length === 0 && !isCut) return new ToolResult({ text: nothingFound(input, categories) });
    const text = JSON.stringify(names);
    // The model reads the names. The scores are for developers, such as on the page of the inspector.
    const value = toolReferences.map(({ toolName, relevanceScore }) => ({ toolName, relevanceScore }));
    return new ToolResult({ text: isCut ? `${text}\n${CUT}` : text, value });
  } catch (error) {
    context.signal.throwIfAborted();
    logger.warn(`A search for tools has failed with ${errorTypeOf(error)}`);
    return new ToolResult({
      text: 'The search for tools does not work at the moment. Use the tools you have, or say that it cannot be done now.',
      isError: true,
    });
  }
}

function nothingFound({ query, categoryFilter }: ToolSearchInput, categories: readonly string[]): string {
  const wanted = categoryFilter?.trim().toLowerCase();
  if (wanted && !categories.some((category) => category.toLowerCase() === wanted)) {
    const known = categories.slice(0, MAX_CATEGORIES).join(', ');
    return `There is no category '${categoryFilter}'. ${known ? `Categories: ${known}.` : 'Search without a category.'}`;
  }
  return `No tool was found for '${query}'. Try other or more general words, or answer without a tool.`;
}
