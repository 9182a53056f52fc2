import { describe, expect, it } from '@jest/globals';
import { parseArguments, UsageError } from './command-arguments.js';

describe('parseArguments', () => {
  it('has defaults', () => {
    expect(parseArguments([])).toMatchObject({ watch: false, check: false, report: false, maxTokens: 1000 });
  });

  it('reads a project of nest-cli.json and a tsconfig file', () => {
    expect(parseArguments(['shop', '-p', 'tsconfig.json', '--out', 'types.ts'])).toMatchObject({
      project: 'shop',
      tsconfig: 'tsconfig.json',
      out: 'types.ts',
    });
  });

  it.each([
    [['--wacth'], /--wacth/],
    [['a', 'b'], /one project, not a and b/],
    [['--watch', '--report'], /--watch writes metadata.ts/],
    [['--strict'], /--strict needs --check/],
    [['--max-tokens', '1.5'], /whole number above 0, not 1.5/],
  ])('refuses %j', (args, message) => {
    expect(() => parseArguments(args)).toThrow(UsageError);
    expect(() => parseArguments(args)).toThrow(message);
  });
});
