import type { ShownInputRequest, ToolCallOutcome, ToolEffect, ToolUi } from '@nestor-ai/core';
import type { JsonSchema } from '@nestor-ai/schema';

/** The default of the option `namespace`. */
export const DEFAULT_NAMESPACE = 'nestor.tools';

/** The longest time that a call may take, in milliseconds. */
export const MAX_TIME = 2_000_000_000;

/** The message and event patterns of remote tools. */
export interface Patterns {
  /** Asks the services for their tools. They answer until the window of the question ends. */
  readonly tools: string;
  readonly call: string;
  readonly cancel: string;
}

/** @param instance the process to reach, unless a broker chooses it */
export function patternsOf(namespace: string, instance?: string): Patterns {
  const end = instance === undefined ? '' : `.${instance}`;
  return { tools: `${namespace}.list`, call: `${namespace}.call${end}`, cancel: `${namespace}.cancel${end}` };
}

/** What a service tells about a tool. */
export interface AnnouncedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly strict?: boolean;
  readonly inputExamples?: readonly Readonly<Record<string, unknown>>[];
  readonly returnDirect?: boolean;
  /** Absent if the service decides for each call. */
  readonly needsApproval?: boolean;
  readonly effect?: ToolEffect;
  readonly untrusted?: boolean;
  /** The longest time of a call, in milliseconds. Absent if the service does not limit it. */
  readonly timeout?: number;
  readonly replaySafe?: boolean;
  readonly sequential?: boolean;
  readonly offeredByDefault?: boolean;
  readonly ui?: ToolUi;
  /** The custom metadata of the tool, as far as it is JSON. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The question for tools. */
export interface ToolsQuestion {
  /** Identifies the question. Answers repeat it. */
  readonly id: string;
  /** How long a service answers with each change of its tools, in milliseconds. */
  readonly window: number;
  /** The revisions that the caller knows, by process. */
  readonly known: Readonly<Record<string, string>>;
}

/** The answer of a process of a service. */
export interface ToolsAnswer {
  /** The id of the question. */
  readonly question: string;
  readonly service: string;
  /** Identifies the process. */
  readonly instance: string;
  /** When the process started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether calls name the process. On a shared queue, any process gets them. */
  readonly isAddressed: boolean;
  /** Changes with the tools. */
  readonly revision: string;
  /** Absent if the caller knows the revision. */
  readonly tools?: readonly AnnouncedTool[];
  /** Whether the process shuts down. */
  readonly isLeaving?: boolean;
}

/** Who calls a tool. */
export interface SentCaller {
  /** The result of `TurnPrincipal` of the calling application. */
  readonly subject?: string;
  /** What the option `identity` selected. */
  readonly identity?: Readonly<Record<string, unknown>>;
}

/** A call of a tool. */
export interface SentCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly callId: string;
  readonly turnId: string;
  /** How long the caller waits, in milliseconds. */
  readonly timeLeft: number;
  readonly caller: SentCaller;
  readonly hasReadUntrusted: boolean;
  /** Whether a human of the calling application has approved the call. */
  readonly isApproved: boolean;
  /** The user's answer to a question of the service. */
  readonly answer?: { readonly questionId: string; readonly input: Readonly<Record<string, unknown>> };
}

/** Cancels a call. */
export interface SentCancel {
  /** The id of the message with the call. */
  readonly messageId: string;
}

/** Why a call failed, so that the caller can classify it. */
export interface SentFailure {
  readonly outcome: ToolCallOutcome;
  readonly status?: number;
  readonly retryAfter?: number;
}

/** What a service sends during a call. The last one is neither `alive` nor `progress`. */
export type CallUpdate =
  | { readonly type: 'alive' }
  | { readonly type: 'progress'; readonly value: unknown }
  | {
      readonly type: 'result';
      readonly text: string;
      readonly content?: readonly unknown[];
      readonly value?: unknown;
      readonly isError?: boolean;
      readonly untrusted?: boolean;
      readonly failure?: SentFailure;
    }
  | {
      /** The call asks the user for input. */
      readonly type: 'question';
      readonly questionId: string;
      readonly request: ShownInputRequest;
    }
  | {
      /** The call needs approval and did not run. */
      readonly type: 'approval';
    }
  | {
      /** The service did not run the call. */
      readonly type: 'refused';
      readonly problem: CallProblem;
      readonly message: string;
    };

/** Why a service did not run a call. */
export type CallProblem =
  | 'unverified'
  | 'expired'
  | 'deadline'
  | 'repeated'
  | 'unknown-tool'
  | 'not-approved'
  | 'unavailable'
  | 'cancelled'
  | 'failed';
