import { IntrinsicException } from '@nestjs/common';
import type { JsonSchema } from '../json/json-schema.js';

/** Describes the arguments of a tool to the model, and parses what the model wrote. */
export interface ToolInput {
  /** The JSON Schema of the arguments, frozen. */
  readonly schema: JsonSchema;

  /**
   * Validates and transforms parsed arguments.
   *
   * @throws ToolInputException that lists every violation
   */
  parse(json: unknown): unknown;

  /**
   * The same input for a JSON Schema from strangers: its patterns run in linear time. Undefined if
   * the patterns come from code.
   */
  readonly linear?: ToolInput;

  /**
   * Checks that the schema can be enforced. Called once, before the tool is first offered.
   *
   * @throws Error that names the problem of the schema
   */
  verify?(): void;
}

/**
 * How to treat arguments that a tool does not declare. `refuse`: the call fails. `strip`: they are
 * removed. `allow`: the tool receives them, and the schema tells the model so.
 */
export type UnknownArguments = 'refuse' | 'strip' | 'allow';

/** A violation of the schema. */
export interface ToolInputIssue {
  /** The location, such as `address.street` or `items[2]`. Empty for the whole input. */
  readonly path: string;
  /** The problem in words, with the name of the argument. */
  readonly message: string;
}

/** The maximum number of violations in the message for the model. */
const MAX_TOLD = 20;

/**
 * The maximum number of violations that are processed. A list of 80,000 invalid items would keep
 * the server busy for a minute.
 */
export const MAX_ISSUES = 100;

/**
 * The arguments of a tool call do not match its schema. The message is intended for the model.
 * Nest does not log an `IntrinsicException`.
 */
export class ToolInputException extends IntrinsicException {
  override readonly name = 'ToolInputException';

  /** The first 100 violations. */
  readonly issues: readonly ToolInputIssue[];

  /** @param count the total number of violations, if `issues` does not contain all */
  constructor(
    issues: readonly ToolInputIssue[],
    /** Whether the arguments are not valid JSON. */
    readonly isSyntax = false,
    readonly count = issues.length,
  ) {
    super(`Invalid arguments: ${violationsText({ issues, count })}. Correct the arguments and call the tool again.`);
    this.issues = issues.length > MAX_ISSUES ? issues.slice(0, MAX_ISSUES) : issues;
  }

  /** The same violations for an object that has this input as a property. */
  inside(name: string): ToolInputException {
    return new ToolInputException(
      this.issues.map(({ path, message }) => {
        const inner = path === '' || path.startsWith('[') ? name + path : `${name}.${path}`;
        const quoted = `'${path}'`;
        const bare = `${path}: `;
        const told = message.startsWith(quoted)
          ? `'${inner}'${message.slice(quoted.length)}`
          : message.startsWith(bare)
            ? `${inner}: ${message.slice(bare.length)}`
            : `'${inner}': ${message}`;
        return { path: inner, message: told };
      }),
      this.isSyntax,
      this.count,
    );
  }
}

/** The first violations in words, for readers who do not call the tool. */
export function violationsText({ issues, count }: Pick<ToolInputException, 'issues' | 'count'>): string {
  const told = issues.slice(0, MAX_TOLD).map(({ message }) => message);
  return told.join('; ') + (count > MAX_TOLD ? `; and ${count - MAX_TOLD} more` : '');
}

/** @throws ToolInputException with a single issue for the whole input */
export function rejectInput(message: string, isSyntax = false): never {
  throw new ToolInputException([{ path: '', message }], isSyntax);
}

/** Formats a path of property names and indexes: `items[2].name`. */
export function formatPath(segments: readonly PropertyKey[]): string {
  let path = '';
  for (const segment of segments) {
    if (typeof segment === 'number' || /^\d+$/.test(String(segment))) path += `[${String(segment)}]`;
    else path += path === '' ? String(segment) : `.${String(segment)}`;
  }
  return path;
}

/** The path of a property of the value at a path, which is empty for the whole input. */
export function pathInside(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}

/** Placeholder for an invalid input. Fails when the tool is about to be offered. */
export class InvalidInput implements ToolInput {
  readonly schema: JsonSchema = Object.freeze({ type: 'object' });

  constructor(private readonly reason: Error) {}

  parse(): never {
    throw this.reason;
  }

  verify(): void {
    throw this.reason;
  }
}
