import { problemsOf } from '../bootstrap-problems.js';
import type { AiApplication } from './ai-application.js';

/** A model that the configuration names. */
interface NamedUse {
  readonly key: string;
  readonly name: string;
}

/** Checks the models with a name and their properties. */
export function checkModelProperties({ models: { properties, router } }: AiApplication): readonly string[] {
  return [...properties.check(), ...(router?.check() ?? [])];
}

/** Checks that the models which the configuration names exist. */
export function checkModelNames({ models, clients, namedClients }: AiApplication): readonly string[] {
  const { properties, router } = models;
  const fallbacks = [undefined, ...properties.names].flatMap((name): NamedUse[] =>
    properties.of(name).fallbacks.map((fallback) => ({ key: `${keyOf(name)}.fallbacks`, name: fallback })),
  );
  const ofClients = namedClients.flatMap((client): NamedUse[] => {
    const name = clients.modelOf(client);
    return name === undefined ? [] : [{ key: `ai.clients.${client}.model`, name }];
  });
  return [...fallbacks, ...ofClients].flatMap(({ key, name }) =>
    router
      ? problemsOf(() => router.verify(name)).map((problem) => `The property ${key} is '${name}'. ${problem}`)
      : `The property ${key} is '${name}', but no ModelRouter finds models by name. Import AiSdkModule.forRoot(), or ` +
        'provide a ModelRouter.',
  );
}

/** Checks that no model is its own fallback, directly or by way of others. */
export function checkFallbackCycles({ models: { properties } }: AiApplication): readonly string[] {
  const cycles = new Map<string, string>();
  const follow = (name: string, path: readonly string[]): void => {
    const at = path.indexOf(name);
    if (at < 0) {
      for (const next of properties.of(name).fallbacks) follow(next, [...path, name]);
      return;
    }
    const cycle = path.slice(at);
    const key = [...cycle].sort().join('\n');
    if (!cycles.has(key)) cycles.set(key, [...cycle, name].join(' → '));
  };
  for (const name of properties.names) follow(name, []);
  return [...cycles.values()].map(
    (cycle) =>
      `The fallbacks of models go in a circle: ${cycle}. Remove one of them from its ai.models.<name>.fallbacks.`,
  );
}

function keyOf(name: string | undefined): string {
  return name === undefined ? 'ai.model' : `ai.models.${name}`;
}
