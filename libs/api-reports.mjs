/*
 * A report of the public types of each entry point, in `api/` of its package: reviews see how they
 * change. Reads the declarations that `npm run build:libs` makes. `npm run api` writes the reports;
 * `npm run api:check` fails when one is stale.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

const isCheck = process.argv.includes('--check');
const silent = { default: { logLevel: ExtractorLogLevel.None } };

/** The entry points of a package, with the declarations of each. */
function entryPointsOf(folder) {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(exports)
    .map(([path, target]) => ({ name: join(name, path), path, types: findTypes(target) }))
    .filter(({ types }) => types);
}

/** @returns the types of the first condition that has some */
function findTypes(target) {
  if (typeof target !== 'object') return undefined;
  if (typeof target.types === 'string') return target.types;
  return Object.values(target).map(findTypes).find(Boolean);
}

/** @returns whether the report is what the declarations are */
function report(folder, { name, path, types }, temporary) {
  const reportFolder = join(folder, 'api');
  mkdirSync(reportFolder, { recursive: true });
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, types),
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'ES2023',
            lib: ['ES2023', 'DOM.AsyncIterable'],
            module: 'nodenext',
            moduleResolution: 'nodenext',
            types: ['node'],
            strict: true,
            skipLibCheck: true,
          },
          files: [join(folder, types)],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: `${path === '.' ? 'index' : path.slice(2).replaceAll('/', '-')}.api.md`,
        reportFolder,
        reportTempFolder: temporary,
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { compilerMessageReporting: silent, extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
    packageJsonFullPath: join(folder, 'package.json'),
  });
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: !isCheck,
    messageCallback: (message) => {
      // Ours say which report is stale, and what to do.
      if (message.logLevel !== ExtractorLogLevel.Error) message.handled = true;
    },
  });
  if (apiReportChanged)
    console.log(isCheck ? `The public types of ${name} have changed` : `${name}: the report is new`);
  return !apiReportChanged;
}

const temporary = mkdtempSync(join(tmpdir(), 'nestor-api-'));
try {
  const current = ['core', 'ai-sdk', 'tool-search', 'mcp', 'postgres', 'bullmq', 'inspector'].flatMap((lib) => {
    const folder = fileURLToPath(new URL(lib, import.meta.url));
    return entryPointsOf(folder).map((entryPoint) => report(folder, entryPoint, temporary));
  });
  if (isCheck && current.includes(false)) {
    console.error('If the change is meant, run npm run api, and commit the reports with it.');
    process.exitCode = 1;
  } else console.log(`${current.length} entry points have a report of their types`);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
