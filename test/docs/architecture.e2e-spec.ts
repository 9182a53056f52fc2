import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const SOURCES = 'libs/core/src';
const PAGE = readFileSync('ARCHITECTURE.md', 'utf8');

/** One step of a walk: `3. → `file.ts` · `Class.method`: what happens`. */
interface Step {
  readonly direction: '→' | '←';
  readonly file: string;
  readonly symbol: string;
}

/** A list of steps; a page that has none for a heading would prove nothing. */
interface Walk {
  readonly title: string;
  readonly steps: readonly Step[];
}

const STEP = /^\d+\. (→|←) `([\w./-]+\.ts)` · `([\w.]+)`/;

function readWalks(page: string): Walk[] {
  const walks: { title: string; steps: Step[] }[] = [];
  let heading = '';
  for (const line of page.split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    const [, direction, file, symbol] = STEP.exec(line) ?? [];
    if (!file) continue;
    if (line.startsWith('1. ')) walks.push({ title: heading, steps: [] });
    walks.at(-1)!.steps.push({ direction: direction as Step['direction'], file, symbol: symbol! });
  }
  return walks;
}

const sources = new Map<string, string>();
function sourceOf(file: string): string {
  const path = join(SOURCES, file);
  if (!sources.has(file)) sources.set(file, existsSync(path) ? readFileSync(path, 'utf8') : '');
  return sources.get(file)!;
}

function importsOf(file: string): ReadonlySet<string> {
  const found = [...sourceOf(file).matchAll(/from '(\.[^']+)\.js'/g)];
  return new Set(found.map(([, path]) => normalize(join(dirname(file), `${path}.ts`))));
}

/** The names that a file declares and exports, such as those of interfaces. */
function declaredIn(file: string): string[] {
  return [...sourceOf(file).matchAll(/export (?:abstract )?(?:class|interface) (\w+)/g)].map(([, name]) => name!);
}

/** Whether a file imports another, or an interface or class that the other one implements or extends. */
function leadsTo(from: string, to: string): boolean {
  if (from === to || importsOf(from).has(to)) return true;
  const contracts = [...importsOf(from), from].flatMap(declaredIn);
  const implemented = [...sourceOf(to).matchAll(/class \w+(?:<[^{]*>)? ([^{]+)\{/g)].map(([, heritage]) => heritage!);
  return contracts.some((name) => implemented.some((heritage) => new RegExp(`\\b${name}\\b`).test(heritage)));
}

function hasSymbol(file: string, symbol: string): boolean {
  return symbol.split('.').every((name) => new RegExp(`\\b${name}\\b`).test(sourceOf(file)));
}

const walks = readWalks(PAGE);

describe('ARCHITECTURE.md', () => {
  it('has four walks', () => {
    const subjects = new Set(walks.map(({ title }) => title));
    expect([...subjects].map((title) => title.split(':')[0])).toEqual([
      'A call',
      'A stream',
      'An approval over two processes',
      'A property',
    ]);
  });

  it('leads from ChatClient to the method through 20 files at most', () => {
    const [call] = walks;
    expect(new Set(call!.steps.map(({ file }) => file)).size).toBeLessThanOrEqual(20);
  });

  describe.each(walks.map(({ title, steps }, index) => [`${index + 1}. ${title}`, steps] as const))(
    'the walk %s',
    (_title, steps) => {
      it.each(steps.map((step) => [step.file, step.symbol] as const))('finds %s with %s', (file, symbol) => {
        expect({ file, isThere: sourceOf(file) !== '' }).toEqual({ file, isThere: true });
        expect({ symbol, isThere: hasSymbol(file, symbol) }).toEqual({ symbol, isThere: true });
      });

      it('goes on only to files that the one before imports or whose contract it imports, and back only where it was', () => {
        steps.slice(1).forEach(({ direction, file }, index) => {
          const before = steps[index]!.file;
          const isKnown = steps.slice(0, index + 1).some((step) => step.file === file);
          const holds = direction === '→' ? leadsTo(before, file) : isKnown;
          expect(`${before} ${direction} ${file}: ${holds}`).toBe(`${before} ${direction} ${file}: true`);
        });
      });
    },
  );
});
