import { typedMethodOf } from '../typed/typed-members.js';
import { declaredInput, type InputDeclaration } from '../input/declared-input.js';
import { onlyClassInput } from './method-input.js';
import { readMethodParameters } from './method-parameters.js';
import { type MethodSource, ParameterNames } from './parameter-names.js';
import { describesValue, findParameterParam } from './tool-param.decorator.js';

/**
 * Where the schema of a value comes from: the options of `@Tool()`, a class with decorators,
 * `@ToolParam()`, types that the compiler plugin read, or what TypeScript emits.
 */
export type InputSource = 'Tool' | 'class' | 'ToolParam' | 'types' | 'emitted';

/** Where the parts of a tool's definition come from. */
export interface ToolInputSources {
  /** `name`: the words of the tool's name. `configuration`: `ai.tools.overrides`. */
  readonly description: 'configuration' | 'Tool' | 'types' | 'name';
  /** The source of the whole input: the options of `@Tool()`, or the only parameter, a class. */
  readonly input?: Extract<InputSource, 'Tool' | 'class'>;
  /** By the name of the argument. Missing if one source describes the whole input. */
  readonly parameters?: Readonly<Record<string, Extract<InputSource, 'ToolParam' | 'types' | 'emitted'>>>;
}

/** The options of `@Tool()` that say what a model reads of it. */
interface DescribedInput extends InputDeclaration {
  readonly description?: string;
}

/**
 * Determines where the parts of a tool's definition come from, by the same rules as
 * {@link readMethodInput}.
 */
export function inputSourcesOf(source: MethodSource, options: DescribedInput): ToolInputSources {
  const description = descriptionSourceOf(source, options);
  if (declaredInput(options)) return { description, input: 'Tool' };
  const parameters = readMethodParameters(source, false);
  if (onlyClassInput(source, parameters)) return { description, input: 'class' };
  const names = new ParameterNames(source, parameters.list.length);
  const sources = parameters.list
    .filter(({ inject }) => !inject)
    .map(({ index, types }) => {
      const declared = findParameterParam(source.target, source.methodName, index);
      const name = declared?.name ?? types?.name ?? names.nameOf(index);
      if (describesValue(declared)) return [name, 'ToolParam'] as const;
      return [name, types?.schema ? 'types' : 'emitted'] as const;
    });
  return { description, parameters: Object.fromEntries(sources) };
}

function descriptionSourceOf(
  { target, methodName }: MethodSource,
  { description }: DescribedInput,
): ToolInputSources['description'] {
  if (description?.trim()) return 'Tool';
  return typedMethodOf(target, methodName)?.types.description?.trim() ? 'types' : 'name';
}
