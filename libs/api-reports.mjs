/*
 * A report of the public types of each entry point, in `api/` of its package: reviews see how they
 * change. Reads the declarations that `npm run build:libs` makes. `npm run api` writes the reports;
 * `npm run api:check` fails when one is stale.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { ROOMS } from './rooms.mjs';

const isCheck = process.argv.includes('--check');
const silent = { default: { logLevel: ExtractorLogLevel.None } };

const fileOf = (path) => `${path === '.' ? 'index' : path.slice(2).replaceAll('/', '-')}.api.md`;

/** @returns whether the report is what the declarations are */
function report({ folder: room }, { name, path, source }, temporary) {
  const folder = fileURLToPath(new URL(room, import.meta.url));
  const types = `dist/types/${source}.d.ts`;
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
        reportFileName: fileOf(path),
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

/** The reports of entry points that a package no longer has. */
function withoutEntry({ folder, entries }) {
  const reports = fileURLToPath(new URL(`${folder}/api`, import.meta.url));
  const known = entries.map(({ path }) => fileOf(path));
  return readdirSync(reports)
    .filter((file) => !known.includes(file))
    .map((file) => join(reports, file));
}

/** @returns whether nothing has to be done */
function remove(file) {
  console.log(`${file}: ${isCheck ? 'there is no such entry point' : 'removed'}`);
  if (!isCheck) rmSync(file);
  return !isCheck;
}

const temporary = mkdtempSync(join(tmpdir(), 'nestor-api-'));
try {
  const current = ROOMS.flatMap((room) => [
    ...room.entries.map((entry) => report(room, entry, temporary)),
    ...withoutEntry(room).map(remove),
  ]);
  if (isCheck && current.includes(false)) {
    console.error('If the change is meant, run npm run api, and commit the reports with it.');
    process.exitCode = 1;
  } else console.log(`${current.length} entry points have a report of their types`);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
