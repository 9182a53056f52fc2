import { Injectable } from '@nestjs/common';
import { Tool, ToolContext } from '@nestor-ai/core';
import { mcpInputOf, McpInputRequiredException, type McpInputRequiredInit } from '@nestor-ai/mcp';

type Questions = McpInputRequiredInit['inputRequests'];

/** The tools of the suite that ask their client for input (`input_required` results). */
@Injectable()
export class InputTools {
  @Tool({ mcp: true, name: 'test_input_required_result_elicitation' })
  elicitation(context: ToolContext): string {
    const name = formOf(ask(context, { user_name: form('What is your name?', 'name') })['user_name'])['name'];
    if (typeof name !== 'string') {
      throw new McpInputRequiredException({ inputRequests: { user_name: form('What is your name?', 'name') } });
    }
    return `Hello, ${name}!`;
  }

  @Tool({ mcp: true, name: 'test_input_required_result_sampling' })
  sampling(context: ToolContext): string {
    const answers = ask(context, { capital_question: sampling('What is the capital of France?', 100) });
    return JSON.stringify(answers['capital_question']);
  }

  @Tool({ mcp: true, name: 'test_input_required_result_list_roots' })
  listRoots(context: ToolContext): string {
    return JSON.stringify(ask(context, { client_roots: ROOTS })['client_roots']);
  }

  @Tool({ mcp: true, name: 'test_input_required_result_request_state' })
  requestState(context: ToolContext): string {
    ask(context, { confirm: form('Please confirm', 'ok', 'boolean') }, { step: 'confirm' });
    const state = mcpInputOf(context)?.state as { step?: string } | undefined;
    return state?.step === 'confirm' ? 'state-ok' : 'no state';
  }

  @Tool({ mcp: true, name: 'test_input_required_result_tampered_state' })
  tamperedState(context: ToolContext): string {
    ask(context, { confirm: form('Please confirm', 'ok', 'boolean') }, { step: 'confirm' });
    return 'integrity-ok';
  }

  @Tool({ mcp: true, name: 'test_input_required_result_multiple_inputs' })
  multipleInputs(context: ToolContext): string {
    const questions = {
      user_name: form('What is your name?', 'name'),
      greeting: sampling('Generate a greeting', 50),
      client_roots: ROOTS,
    };
    return JSON.stringify(ask(context, questions, { step: 'all' }));
  }

  @Tool({ mcp: true, name: 'test_input_required_result_multi_round' })
  multiRound(context: ToolContext): string {
    const { name } = (mcpInputOf(context)?.state ?? {}) as { name?: string };
    if (name !== undefined) {
      const { color } = formOf(
        ask(context, { step2: form('Step 2: What is your favorite color?', 'color') }, { name })['step2'],
      );
      return `${name} likes ${String(color)}`;
    }
    const answered = ask(context, { step1: form('Step 1: What is your name?', 'name') }, {});
    throw new McpInputRequiredException({
      inputRequests: { step2: form('Step 2: What is your favorite color?', 'color') },
      state: formOf(answered['step1']),
    });
  }

  @Tool({ mcp: true, name: 'test_input_required_result_capabilities' })
  capabilities(context: ToolContext): string {
    const { capabilities = {} } = mcpInputOf(context) ?? {};
    const questions: Questions = {
      ...(capabilities.elicitation && { user_name: form('What is your name?', 'name') }),
      ...(capabilities.sampling && { greeting: sampling('Generate a greeting', 50) }),
    };
    return JSON.stringify(ask(context, questions));
  }

  @Tool({ mcp: true, name: 'test_missing_capability' })
  missingCapability(context: ToolContext): string {
    return JSON.stringify(ask(context, { greeting: sampling('Generate a greeting', 50) }));
  }
}

const ROOTS = { method: 'roots/list' } as Questions[string];

/** Asks until all questions have an answer. */
export function ask(
  context: ToolContext,
  inputRequests: Questions,
  state?: unknown,
): Readonly<Record<string, unknown>> {
  const { inputResponses = {} } = mcpInputOf(context) ?? {};
  if (Object.keys(inputRequests).every((key) => inputResponses[key] !== undefined)) return inputResponses;
  throw new McpInputRequiredException({ inputRequests, ...(state !== undefined && { state }) });
}

/** The fields of a form that the user has accepted. */
export function formOf(response: unknown): Readonly<Record<string, unknown>> {
  const { action, content } = (response ?? {}) as { action?: unknown; content?: Record<string, unknown> };
  return action === 'accept' ? (content ?? {}) : {};
}

export function form(message: string, field: string, type = 'string'): Questions[string] {
  const requestedSchema = { type: 'object', properties: { [field]: { type } }, required: [field] };
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } } as Questions[string];
}

function sampling(text: string, maxTokens: number): Questions[string] {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens } } as Questions[string];
}
