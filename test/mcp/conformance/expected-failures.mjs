import { parse } from 'yaml';

/** @returns the reasons, by revision, side and scenario */
export function readExpectedFailures(yaml) {
  const expected = parse(yaml) ?? {};
  for (const [revision, sides] of Object.entries(expected)) {
    for (const [scenario, reason] of Object.values(sides).flatMap((scenarios) => Object.entries(scenarios ?? {}))) {
      if (typeof reason === 'string' && reason.trim() !== '') continue;
      throw new Error(`test/mcp/expected-failures.yaml has no reason for ${scenario} of ${revision}.`);
    }
  }
  return expected;
}

/**
 * Compares the results of a run with what is required and with the failures that are expected.
 *
 * @returns a verdict for each scenario, including those that are only in the list of failures
 */
export function judge(required, results, expected) {
  const verdicts = required.map((scenario) => ({ scenario, ...verdictOn(results.get(scenario), expected[scenario]) }));
  const strangers = Object.keys(expected).filter((scenario) => !required.includes(scenario));
  return [
    ...verdicts,
    ...strangers.map((scenario) => ({ scenario, isGood: false, text: 'is in the list of failures, but not required' })),
  ];
}

function verdictOn(result, reason) {
  if (!result) return { isGood: false, text: 'the suite has not reported it' };
  if (result.isGood && reason) return { isGood: false, text: 'passes: remove it from the list of failures' };
  if (result.isGood) return { isGood: true, text: result.text };
  return reason
    ? { isGood: true, text: `${result.text}, as expected: ${reason}` }
    : { isGood: false, text: result.text };
}
