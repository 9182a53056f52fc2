/* Where a function stands in the source, and in which layer. */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** As the inspector tells of a function; lines and columns are counted from 0. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

export interface Place {
  /** Of our own code the layer; of others' the package; of what has no file, what the engine calls it. */
  readonly layer: string;
  /** The file and the line; empty where there is none. */
  readonly at: string;
}

const OWN = /(?:^|\/)libs\/([^/]+)\/src\/(?:([^/]+)\/)?/;
const PACKAGE = /\/node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/g;
const maps = new Map<string, SourceMap | undefined>();

export function placeOf(frame: CallFrame): Place {
  const { url, functionName } = frame;
  const { file, line } = inSource(frame);
  const at = file === '' ? '' : `${file.split('/').at(-1)}:${line + 1}`;
  const own = OWN.exec(file);
  if (own) return { layer: own[1] === 'core' ? `core/${own[2] ?? ''}` : own[1]!, at };
  const inner = [...url.matchAll(PACKAGE)].at(-1);
  if (inner) return { layer: inner[1]!, at };
  if (url.startsWith('node:')) return { layer: 'node', at };
  if (url.includes('/apps/benchmark/')) return { layer: 'the benchmark itself', at };
  return { layer: functionName === '(garbage collector)' ? 'garbage collector' : 'engine', at };
}

/** Our packages are one file each: the map beside it knows where things come from. */
function inSource({ url, lineNumber, columnNumber }: CallFrame): { file: string; line: number } {
  const entry = mapOf(url)?.findEntry(lineNumber, columnNumber);
  if (!entry || !('originalSource' in entry)) return { file: url, line: lineNumber };
  return { file: new URL(entry.originalSource, url).href, line: entry.originalLine };
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) {
    const file = url.includes('/dist/bundle/') ? `${fileURLToPath(url)}.map` : '';
    maps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined);
  }
  return maps.get(url);
}
