import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AiBootstrapException } from '@nestor-ai/core';
import { ApplicationTools } from '../application-tools.js';
import { type McpMethod, type McpMethodList, methodList } from '../calls/mcp-methods.js';
import { problemsIn } from '../calls/problems.js';
import {
  declarationOf,
  type DeclaredResource,
  type FixedResource,
  readResource,
  type TemplateResource,
} from './declared-resource.js';
import { RESOURCE_KIND, RESOURCE_LIST_KIND, RESOURCE_SUBSCRIPTION_KIND } from './mcp-resource.decorator.js';
import { overlap } from './template-overlap.js';
import { MAX_URI_LENGTH } from './uri-template.js';

/** A resource for a URI, and the values of its variables. */
export interface FoundResource {
  readonly resource: DeclaredResource;
  readonly values: Readonly<Record<string, string>>;
}

/** Lists resources of a template. */
export interface ResourceLister extends McpMethod {
  readonly template: TemplateResource;
}

interface Resources {
  readonly fixed: McpMethodList<FixedResource>;
  readonly templates: McpMethodList<TemplateResource>;
  readonly listers: readonly ResourceLister[];
  readonly byUri: ReadonlyMap<string, FixedResource>;
  /** By the name of the resource. */
  readonly subscriptions: ReadonlyMap<string, McpMethod>;
}

/** The resources of the application. Found once, when it starts. */
@Injectable()
export class McpResourceCatalog implements OnApplicationBootstrap {
  #resources: Resources | undefined;

  constructor(private readonly application: ApplicationTools) {}

  /** @throws AiBootstrapException with all wrong declarations */
  onApplicationBootstrap(): void {
    this.#resources = this.#read();
  }

  get isEmpty(): boolean {
    return this.all.fixed.methods.length + this.all.templates.methods.length === 0;
  }

  get all(): Resources {
    return (this.#resources ??= this.#read());
  }

  /**
   * The resource of a URI. A single resource comes before templates.
   *
   * @throws RefusedUriException for a value that is not safe to pass on
   */
  find(uri: string): FoundResource | undefined {
    if (uri.length > MAX_URI_LENGTH) return undefined;
    const fixed = this.fixedOf(uri);
    if (fixed) return { resource: fixed, values: {} };
    for (const resource of this.all.templates.methods) {
      const values = resource.template.match(uri);
      if (values) return { resource, values };
    }
    return undefined;
  }

  /** Runs the guards of a resource, to find out who may hear of it. */
  subscriptionOf({ name }: DeclaredResource): McpMethod {
    return this.all.subscriptions.get(name)!;
  }

  /** The single resource of a URI. */
  fixedOf(uri: string): FixedResource | undefined {
    return this.all.byUri.get(uri);
  }

  /** The template with exactly this text. */
  templateOf(text: string): TemplateResource | undefined {
    return this.all.templates.methods.find(({ template }) => template.text === text);
  }

  #read(): Resources {
    const { made, problems } = problemsIn(this.application.registry.handlers(RESOURCE_KIND), readResource);
    const fixed = made.filter((resource) => 'uri' in resource);
    const templates = made.filter((resource) => 'template' in resource);
    problems.push(...duplicates(made, fixed, templates));
    if (problems.length > 0) throw new AiBootstrapException(problems);
    const listers = this.application.registry.handlers(RESOURCE_LIST_KIND).flatMap((found) => {
      const template = templates.find(({ name }) => name === declarationOf(found).name);
      return template ? [{ tool: found.callback, template }] : [];
    });
    const subscriptions = this.application.registry.handlers(RESOURCE_SUBSCRIPTION_KIND);
    return {
      fixed: methodList(fixed),
      templates: methodList(templates),
      listers,
      byUri: new Map(fixed.map((resource) => [resource.uri, resource])),
      subscriptions: new Map(subscriptions.map((found) => [declarationOf(found).name, { tool: found.callback }])),
    };
  }
}

function duplicates(
  all: readonly DeclaredResource[],
  fixed: readonly FixedResource[],
  templates: readonly TemplateResource[],
): string[] {
  return [
    ...pairs(all, (one, other) => one.name === other.name).map(
      ([one, other]) => `${both(one, other)} have the name '${one.name}'. Set another name on one of them.`,
    ),
    ...pairs(fixed, (one, other) => one.uri === other.uri).map(
      ([one, other]) => `${both(one, other)} have the URI '${one.uri}'. Set another uri on one of them.`,
    ),
    ...pairs(templates, (one, other) => overlap(one.template, other.template)).map(
      ([one, other]) =>
        `${both(one, other)} have templates that match the same URIs: '${one.template.text}' and ` +
        `'${other.template.text}'. Change one of them.`,
    ),
  ];
}

function both(one: DeclaredResource, other: DeclaredResource): string {
  return `The MCP resources of ${one.origin} and ${other.origin}`;
}

function pairs<T>(items: readonly T[], areEqual: (one: T, other: T) => boolean): (readonly [T, T])[] {
  return items.flatMap((one, at) =>
    items.slice(at + 1).flatMap((other) => (areEqual(one, other) ? [[one, other] as const] : [])),
  );
}
