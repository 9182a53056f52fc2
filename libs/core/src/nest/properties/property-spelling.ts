/** A part of a key: a key of Nestor in camelCase, or a name from the application. */
export type KeyPart = string | { readonly name: string };

/** The key in configuration files: `ai.tools.max-result-length`. Names stay unchanged. */
export function kebabKey(path: readonly KeyPart[]): string {
  return path.map((part) => (typeof part === 'string' ? kebab(part) : part.name)).join('.');
}

/** The same in camelCase: `ai.tools.maxResultLength`. */
export function camelKey(path: readonly KeyPart[]): string {
  return path.map(textOf).join('.');
}

/** The name of the environment variable: `AI_TOOLS_MAX_RESULT_LENGTH`. */
export function environmentName(path: readonly KeyPart[]): string {
  return path
    .map((part) => textOf(part).replace(/([a-z0-9])([A-Z])/g, '$1_$2'))
    .join('_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}

/** `maxRounds` as `max-rounds`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `max-rounds` as `maxRounds`. */
export function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function textOf(part: KeyPart): string {
  return typeof part === 'string' ? part : part.name;
}
