import type { AiApplication } from './ai-application.js';

/** The modules whose tools AiModule is to include are there when it is declared. */
export function checkIncludedModules({ registry }: AiApplication): readonly string[] {
  const missing = registry.missingModules.filter((name) => name === undefined);
  return missing.map((name) => `${missingText(name)} It may be imported in a circle.`);
}

/** The modules whose tools AiModule is to include are modules of the application. */
export function checkUnknownModules({ registry }: AiApplication): readonly string[] {
  return registry.missingModules.filter((name) => name !== undefined).map(missingText);
}

function missingText(name: string | undefined): string {
  return `AiModule is to include the tools of ${name}, which is no module of the application. Import it.`;
}
