import { NO_CODE_GENERATION, readSafely } from '@nestor-ai/schema';
import { verifyTool } from '../../client/tool-selection.js';
import { OWN_NAMES } from '../../model/tool-calling-chat-options.js';
import { unknownToolText } from '../../execution/tool-lookup.js';
import { knownText, problemsOf } from '../bootstrap-problems.js';
import { duplicatesText } from '../discovery/tool-registration.js';
import { environmentName } from '../properties/property-spelling.js';
import type { AiApplication } from './ai-application.js';

/** Tool names that every model provider accepts. */
const PORTABLE_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const DUPLICATES_REMEDY = `${OWN_NAMES}. Or set ai.chat.client.default-tools=none and give each client its tools.`;

/**
 * Checks that the process may compile functions. Nestor needs that to validate the arguments of
 * tools.
 */
export function checkCodeGeneration(): readonly string[] {
  // eslint-disable-next-line typescript/no-implied-eval -- a test whether functions can be compiled
  const compiled: unknown = readSafely(() => new Function(''));
  return compiled === undefined ? [`No tool can be called: ${NO_CODE_GENERATION}.`] : [];
}

/** Checks the definition of every tool. */
export function checkToolDefinitions({ registry }: AiApplication): readonly string[] {
  return [...registry.found, ...registry.foundHandlers].flatMap(({ callback }) =>
    problemsOf(() => verifyTool(callback)),
  );
}

/** Checks that the tools offered by default have unique names, if a client offers all of them. */
export function checkToolNames({ registry, enabledClients, clients }: AiApplication): readonly string[] {
  const hasAll = enabledClients.some((name) => clients.of(name).defaultTools === 'discovered');
  const text = hasAll ? duplicatesText(registry.offered, DUPLICATES_REMEDY) : undefined;
  return text === undefined ? [] : [text];
}

/** Warns about tool names that a model provider may refuse. */
export function checkPortableToolNames({ registry }: AiApplication): readonly string[] {
  return registry.found
    .filter(({ name }) => !PORTABLE_NAME.test(name))
    .map(
      ({ name, callback }) =>
        `The tool name '${name}' (${callback.origin}) may be refused by model providers. Use 1 to 64 letters, digits, _ and -.`,
    );
}

/** Checks the properties of single tools. */
export function checkToolProperties({ registry, toolProperties }: AiApplication): readonly string[] {
  return [...registry.names].flatMap((name) => toolProperties.check(name));
}

/**
 * Warns about properties of tools that do not exist. Does not warn if a provider may add tools
 * later.
 */
export function checkConfiguredTools({ registry, toolProperties, properties }: AiApplication): readonly string[] {
  if (registry.mayGrow) return [];
  const known = new Set(registry.names);
  const excluded = properties.tools.limits.excludedTools
    .filter((name) => !known.has(name))
    .map((name) => ({ key: 'ai.tools.limits.excluded-tools', name, isVariable: false }));
  return [...toolProperties.namedBeyond(known), ...excluded].map(({ key, name, isVariable }) => {
    const path = isVariable ? environmentName([...key.split('.'), { name }]) : `${key}.${name}`;
    const spelled = isVariable ? [...known].map((tool) => environmentName([{ name: tool }])) : [...known];
    return `${path} has no effect: the tool does not exist when the application starts. ${knownText(name, spelled)}`;
  });
}

/** Checks that the tools that a test overrides exist. */
export function checkToolSubstitutes({ substitutes, registry }: AiApplication): readonly string[] {
  if (registry.mayGrow) return [];
  const known = registry.names;
  return [...substitutes.keys()]
    .filter((name) => !known.has(name))
    .map((name) => `overrideTool() is for a tool that does not exist. ${unknownToolText(name, [...known])}`);
}
