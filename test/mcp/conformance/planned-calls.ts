/** A call that the scripted model makes. */
export interface PlannedCall {
  readonly name: string;
  readonly arguments: object;
}

/** What the suite tells the client about a scenario. */
interface SuiteContext {
  readonly toolCalls?: readonly PlannedCall[];
  readonly client_id?: string;
  readonly client_secret?: string;
}

/** The scenario that the suite runs, and what it says about it. */
export const SCENARIO = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
export const CONTEXT = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as SuiteContext;

/** The calls of a scenario, after the tools that the model is offered. */
export function plannedCalls(offered: readonly string[]): readonly PlannedCall[] {
  if (CONTEXT.toolCalls) return CONTEXT.toolCalls;
  if (SCENARIO === 'http-invalid-tool-headers') {
    return offered.map((name) => ({ name, arguments: { region: 'us-west1' } }));
  }
  return CALLS.filter(({ name }) => offered.includes(name));
}

const CALLS: readonly PlannedCall[] = [
  { name: 'add_numbers', arguments: { a: 5, b: 3 } },
  { name: 'test-tool', arguments: {} },
  { name: 'test_headers', arguments: {} },
  { name: 'test_reconnection', arguments: {} },
  { name: 'test_client_elicitation_defaults', arguments: {} },
  { name: 'test_mrtr_echo_state', arguments: {} },
  { name: 'test_mrtr_no_state', arguments: {} },
  { name: 'test_mrtr_unrelated', arguments: {} },
  { name: 'test_mrtr_no_result_type', arguments: {} },
];
