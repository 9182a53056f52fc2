import { ROOMS } from './libs/rooms.mjs';

/** @type {import('typedoc').TypeDocOptions} */
export default {
  entryPoints: ROOMS.flatMap(({ folder, entries }) => entries.map(({ source }) => `libs/${folder}/src/${source}.ts`)),
  tsconfig: 'tsconfig.json',
  plugin: ['typedoc-plugin-markdown'],
  out: 'docs/reference/api',
  readme: 'none',
  excludePrivate: true,
  excludeProtected: false,
  disableSources: true,
  hideBreadcrumbs: true,
  logLevel: 'Error',
  skipErrorChecking: true,
  name: 'API',
  excludeExternals: true,
  entryFileName: 'index',
  cleanOutputDir: true,
  validation: {
    invalidLink: false,
    notExported: false,
  },
  hidePageHeader: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  enumMembersFormat: 'table',
  tableColumnSettings: {
    hideModifiers: true,
    hideInherited: true,
    hideOverrides: true,
    hideSources: true,
    hideDefaults: true,
  },
};
