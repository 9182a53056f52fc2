import { spawnSync } from 'node:child_process';
import { realpathSync, rmSync } from 'node:fs';
import { relative } from 'node:path';

/** The tsbuildinfo files that this process and those that started it have deleted already. */
const REBUILT = 'NESTOR_REBUILT';

/**
 * Deletes a tsbuildinfo file and runs the command of this process once more, because TypeScript
 * would not emit files again that have not changed.
 *
 * @throws Error if the command is not the Nest CLI, or if deleting the file has not helped
 */
export function rebuild(buildInfoPath: string): never {
  const path = relative(process.cwd(), buildInfoPath);
  const rebuilt = (process.env[REBUILT] ?? '').split('\n');
  const [, script = ''] = process.argv;
  if (!isNestCli(script) || rebuilt.includes(buildInfoPath)) {
    throw new Error(
      `${path} is of a build without the types of tools, or with other options of the plugin. Delete it and build again.`,
    );
  }
  process.stderr.write(
    `Nestor: ${path} is of a build without the types of tools, or with other options. Building everything once.\n`,
  );
  rmSync(buildInfoPath, { force: true });
  const { status } = spawnSync(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [REBUILT]: [...rebuilt, buildInfoPath].join('\n') },
  });
  process.exit(status ?? 1);
}

function isNestCli(script: string): boolean {
  try {
    return /[\\/]@nestjs[\\/]cli[\\/]/.test(realpathSync(script));
  } catch {
    return false;
  }
}
