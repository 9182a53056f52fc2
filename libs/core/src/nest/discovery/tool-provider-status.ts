import { Injectable, Logger } from '@nestjs/common';
import { MAX_FOREIGN_DEFINITION } from '../../tool/trust/definition-size.js';
import { errorTypeOf, nameOrOther } from '../../model/error-type.js';

/**
 * Why requests do not have all tools of a provider.
 *
 * - `unavailable`: the provider failed or did not answer in time.
 * - `invalid`: the tools cannot be offered to a model, for example because of their schema.
 * - `too-large`: the definitions of the tools are too long.
 * - `changed`: the tools differ from their pin or from what Nestor saw first. Requests still have
 *   them unless `ai.tools.pin` is `refuse`.
 * - `name-taken`: the application or an earlier provider has a tool of the same name.
 */
export type ToolProviderFault = 'unavailable' | 'invalid' | 'too-large' | 'changed' | 'name-taken';

/** A problem with the tools of one provider. */
export interface ToolProviderProblem {
  /**
   * The class and module of the provider: `McpTools in AppModule`. If the module has several of the
   * class, the second is `McpTools in AppModule (2)`.
   */
  readonly provider: string;
  readonly since: Date;
  readonly fault: ToolProviderFault;
  /** The class, code or status of the error if the provider is unavailable. Never its message. */
  readonly errorType?: string;
  /** The affected tools. Undefined for all of them. */
  readonly toolNames?: readonly string[];
  /**
   * The hashes of changed tools by tool name. To approve a tool, set
   * `ai.tools.overrides.<tool>.pin` to its hash.
   */
  readonly hashes?: ReadonlyMap<string, string>;
}

type Found = Pick<ToolProviderProblem, 'errorType' | 'toolNames' | 'hashes'>;

/**
 * Reports providers whose tools are missing from requests, for example in a health check. It
 * covers providers that list their tools for each request. Nestor logs when a problem starts,
 * changes and ends.
 *
 * @example
 * constructor(private readonly toolProviders: ToolProviderStatus) {}
 * isReady = () => this.toolProviders.problems.length === 0;
 */
@Injectable()
export class ToolProviderStatus {
  private readonly logger = new Logger(ToolProviderStatus.name);
  readonly #problems = new Map<string, ToolProviderProblem>();

  /** The current problems, as found by requests so far. */
  get problems(): readonly ToolProviderProblem[] {
    return [...this.#problems.values()];
  }

  /**
   * Records the result for a provider.
   *
   * @param found the problem, or undefined if there is none
   * @internal
   */
  report(provider: string, fault: ToolProviderFault, found: Found | undefined): void {
    const key = `${fault} ${provider}`;
    const known = this.#problems.get(key);
    if (!found) {
      if (this.#problems.delete(key)) this.logger.log(`${provider}: ${GONE[fault]}`);
      return;
    }
    if (known && isSame(known, found)) return;
    this.#problems.set(key, Object.freeze({ provider, fault, since: known?.since ?? new Date(), ...found }));
    this.logger.warn(`${provider}: ${textOf(fault, found)}`);
  }

  /** Records that a provider failed. @internal */
  failed(provider: string, error: unknown): void {
    this.report(provider, 'unavailable', { errorType: errorTypeOf(error) });
  }
}

/** How many tool names a log line contains at most. */
const MAX_NAMES = 10;

const GONE: Readonly<Record<ToolProviderFault, string>> = {
  unavailable: 'its tools are available again.',
  invalid: 'all of its tools are valid again.',
  'too-large': 'the definitions of its tools are short enough again.',
  changed: 'its tools have their earlier definitions again.',
  'name-taken': 'the names of all its tools are unique again.',
};

const LEFT_OUT: Readonly<Record<'invalid' | 'too-large' | 'name-taken', string>> = {
  invalid: 'their definitions are invalid',
  'too-large': `their definitions are longer than ${MAX_FOREIGN_DEFINITION} characters`,
  'name-taken': 'other tools have the same names',
};

function textOf(fault: ToolProviderFault, { errorType, toolNames = [], hashes }: Found): string {
  // The names come from elsewhere, and there may be thousands.
  const shown = toolNames.slice(0, MAX_NAMES).map((name) => {
    const hash = hashes?.get(name);
    return `'${nameOrOther(name)}'${hash === undefined ? '' : ` (${hash})`}`;
  });
  const names = toolNames.length > MAX_NAMES ? [...shown, '…'].join(', ') : shown.join(', ');
  if (fault === 'unavailable')
    return `its tools are not available (${errorType}). Requests continue without them. With required: true, such requests fail with the error.`;
  if (fault === 'changed')
    return `tools have changed since they were pinned or first seen: ${names}. Review them, and approve each with ai.tools.overrides.<tool>.pin.`;
  return `tools are left out, because ${LEFT_OUT[fault]}: ${names}.`;
}

function isSame(known: ToolProviderProblem, found: Found): boolean {
  const textsOf = ({ errorType, toolNames, hashes }: Found): string =>
    String([errorType, toolNames, [...(hashes ?? [])]]);
  return textsOf(known) === textsOf(found);
}
