import { Injectable, Logger } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { ToolUnavailableException } from '../../tool/tool-execution.exception.js';
import type { InstanceWrapper } from '../hosts/provider-host.js';
import { AiProperties } from '../properties/ai-properties.js';

const REMEDY =
  'Pass the request: chatClient.prompt(…).request(req), or set ai.tools.find-request=true to use the HTTP request that ' +
  'is being handled.';

/** Checks that tools which inject `REQUEST` are called with a request. */
@Injectable()
export class RequiredRequest {
  private readonly logger = new Logger('AiModule');
  readonly #warned = new WeakSet<InstanceWrapper>();

  constructor(private readonly properties: AiProperties) {}

  /**
   * Called when the caller gave no request. Warns once per class.
   *
   * @param wrappers the provider of the tool, and its guards and other enhancers
   * @param tool how messages name the tool
   * @throws ToolUnavailableException instead of the warning, if `ai.tools.require-request` is true
   */
  check(wrappers: readonly [InstanceWrapper, ...InstanceWrapper[]], tool: string): void {
    const [provider] = wrappers;
    if (this.#warned.has(provider) || !wrappers.some((wrapper) => injectsRequest(wrapper, new Set()))) return;
    if (this.properties.tools.requireRequest) {
      this.logger.error(
        `The tool ${tool} did not run, because it injects REQUEST and the call has no request. ${REMEDY}`,
      );
      throw new ToolUnavailableException(new Error(`The tool ${tool} needs a request.`));
    }
    this.#warned.add(provider);
    this.logger.warn(
      `The tool ${tool} injects REQUEST, but it was called without a request and gets undefined. ${REMEDY} With ` +
        'ai.tools.require-request=true, such calls fail instead.',
    );
  }
}

/** @param wrapper undefined for an optional dependency that is missing */
function injectsRequest(wrapper: InstanceWrapper | undefined, visited: Set<InstanceWrapper>): boolean {
  if (wrapper?.token === REQUEST) return true;
  if (!wrapper || visited.has(wrapper)) return false;
  visited.add(wrapper);
  const dependencies = [
    ...(wrapper.getCtorMetadata() ?? []),
    ...(wrapper.getPropertiesMetadata() ?? []).map((property) => property.wrapper),
  ];
  return dependencies.some((dependency) => injectsRequest(dependency, visited));
}
