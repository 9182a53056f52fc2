import { parse } from 'yaml';

/** @returns the names of the scenarios that a revision requires of a side, from the requirements of the suite */
export function readRequired(requirements, side) {
  return parse(requirements)[side];
}

/**
 * Reads the lines `✓ tools-list: 3 passed, 0 failed` that the suite prints at its end.
 *
 * @returns the counts by the name of the scenario
 */
export function readSummary(output) {
  const summary = output.slice(Math.max(0, output.lastIndexOf('SUMMARY ===')));
  const lines = summary.matchAll(
    /^(?<mark>\S) (?<name>\S+): (?<passed>\d+) passed, (?<failed>\d+) failed(?<rest>.*)$/gmu,
  );
  return new Map(
    [...lines].map(({ groups: { mark, name, passed, failed, rest } }) => [
      name,
      { isGood: mark === '✓' && failed === '0', text: `${passed} passed, ${failed} failed${rest}` },
    ]),
  );
}

/**
 * Reads the line `Passed: 11/12, 1 failed, 0 warnings` of a single scenario.
 *
 * @returns undefined if the suite has not run the scenario
 */
export function readResult(output) {
  const [, passed, failed, warnings] = /^Passed: (\d+)\/\d+, (\d+) failed, (\d+) warnings$/m.exec(output) ?? [];
  if (passed === undefined) return undefined;
  const isGood = output.includes('OVERALL: PASSED');
  return { isGood, text: `${passed} passed, ${failed} failed, ${warnings} warnings` };
}
