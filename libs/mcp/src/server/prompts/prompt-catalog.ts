import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Prompt } from '@modelcontextprotocol/server';
import { AiBootstrapException, type ToolRegistration } from '@nestor-ai/core';
import { ApplicationTools } from '../application-tools.js';
import { type McpMethod, type McpMethodList, methodList } from '../calls/mcp-methods.js';
import { problemsIn } from '../calls/problems.js';
import { type McpPromptOptions, PROMPT_DECLARATION, PROMPT_KIND } from './mcp-prompt.decorator.js';

/** A prompt of the application. */
export interface DeclaredPrompt extends McpMethod {
  readonly name: string;
  /** The class and method, for messages. */
  readonly origin: string;
  /** What clients see. Frozen. */
  readonly listing: Prompt;
}

interface Prompts extends McpMethodList<DeclaredPrompt> {
  readonly byName: ReadonlyMap<string, DeclaredPrompt>;
}

/** The prompts of the application. Found once, when it starts. */
@Injectable()
export class McpPromptCatalog implements OnApplicationBootstrap {
  #all: Prompts | undefined;

  constructor(private readonly application: ApplicationTools) {}

  /** @throws AiBootstrapException with all wrong declarations */
  onApplicationBootstrap(): void {
    this.#all = this.#read();
  }

  get all(): Prompts {
    return (this.#all ??= this.#read());
  }

  #read(): Prompts {
    const { made, problems } = problemsIn(this.application.registry.handlers(PROMPT_KIND), readPrompt);
    const byName = new Map<string, DeclaredPrompt>();
    for (const prompt of made) {
      const other = byName.get(prompt.name);
      if (!other) byName.set(prompt.name, prompt);
      else {
        problems.push(
          `The MCP prompts of ${other.origin} and ${prompt.origin} have the name '${prompt.name}'. Set another name on one of them.`,
        );
      }
    }
    if (problems.length > 0) throw new AiBootstrapException(problems);
    return { ...methodList(made), byName };
  }
}

interface ArgumentsSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, { readonly title?: unknown; readonly description?: unknown }>>;
  readonly required?: readonly string[];
}

/** @throws Error that names class and method, if the declaration is wrong */
function readPrompt({ callback, className, methodName, metadata }: ToolRegistration): DeclaredPrompt {
  const { name, title, description, complete } = metadata[PROMPT_DECLARATION] as McpPromptOptions & { name: string };
  const origin = `${className}.${methodName}()`;
  const schema = callback.toolDefinition.inputSchema as ArgumentsSchema;
  if (schema.type !== 'object') {
    throw new Error(
      `The MCP prompt of ${origin} cannot be offered: its arguments have to be the properties of an object.`,
    );
  }
  const properties = Object.entries(schema.properties ?? {});
  const unknown = Object.keys(complete ?? {}).filter((argument) => !properties.some(([known]) => known === argument));
  if (unknown.length > 0) {
    throw new Error(
      `The MCP prompt of ${origin} cannot be offered: complete names '${unknown.join("', '")}', but the prompt has no such argument.`,
    );
  }
  const listed = properties.map(([argument, property]) => ({
    name: argument,
    ...(typeof property.title === 'string' && { title: property.title }),
    ...(typeof property.description === 'string' && { description: property.description }),
    required: schema.required?.includes(argument) === true,
  }));
  const listing = Object.freeze({
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(listed.length > 0 && { arguments: listed }),
  });
  return { tool: callback, name, origin, listing };
}
