import { describe, expect, it } from '@jest/globals';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  type LoggerService,
  type MessageEvent,
  Post,
  Req,
  Sse,
  UseGuards,
} from '@nestjs/common';
import {
  AiToolExecutionContext,
  ChatClient,
  type ChatClientRequestSpec,
  ChatMemory,
  ChatModelException,
  MessageChatMemoryAdvisor,
  Tool,
  type ToolApproval,
  ToolContext,
  ToolResult,
  toSse,
} from '@nestor-ai/core';
import { toUIMessageStream } from '@nestor-ai/ui';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { Observable } from 'rxjs';
import { type Arbitrary, assert, asyncProperty, boolean, constantFrom, record } from 'fast-check';
import { inspect } from 'node:util';
import { serve } from '../recipes/http-application.js';
import { Recorder } from '../telemetry/recorder.js';

const recorder = Recorder.register();

/** Where something is planted that has to stay where it is. */
const PLACES = [
  'system',
  'prompt',
  'context',
  'header',
  'argument',
  'approvedArgument',
  'denial',
  'result',
  'progress',
  'toolError',
  'providerError',
  'answer',
  'reasoning',
] as const;
type Place = (typeof PLACES)[number];
type Markers = Readonly<Record<Place, string>>;

const TOOLS = [
  'answers',
  'throws',
  'throwsText',
  'throwsHttp',
  'fails',
  'streams',
  'answersDirectly',
  'isGuarded',
  'takesTooLong',
  'asksFirst',
  'isUnknown',
  'isMisused',
] as const;
const DOORS = ['call', 'sse', 'ui'] as const;

interface Attack {
  readonly door: (typeof DOORS)[number];
  readonly tool: (typeof TOOLS)[number];
  readonly decision: 'approve' | 'change' | 'deny' | 'deny badly';
  /** What becomes of the model after the tools have run. */
  readonly model: 'answers' | 'fails';
  readonly hasMemory: boolean;
  readonly content: 'all' | 'none';
}

const ATTACKS: Arbitrary<Attack> = record({
  door: constantFrom(...DOORS),
  tool: constantFrom(...TOOLS),
  decision: constantFrom('approve', 'change', 'deny', 'deny badly'),
  model: constantFrom('answers', 'answers', 'fails'),
  hasMemory: boolean(),
  content: constantFrom('all', 'none'),
});

@Injectable()
class RefusingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const header = AiToolExecutionContext.of(context).getRequest<{ headers: object }>()?.headers;
    throw new ForbiddenException(`No: ${JSON.stringify(header)}`);
  }
}

/** What each tool is given, and what it answers, is planted. */
@Injectable()
class Tools {
  @Tool()
  answers(text: string, context: ToolContext): object {
    return { text, said: markersOf(context).result };
  }

  @Tool()
  throws(text: string, context: ToolContext): never {
    throw new Error(`${markersOf(context).toolError} for ${text}`, { cause: new Error(markersOf(context).toolError) });
  }

  @Tool()
  throwsText(_text: string, context: ToolContext): never {
    throw markersOf(context).toolError;
  }

  @Tool()
  throwsHttp(_text: string, context: ToolContext): never {
    throw new ForbiddenException({ reason: markersOf(context).toolError });
  }

  @Tool()
  fails(_text: string, context: ToolContext): ToolResult {
    return new ToolResult({ text: markersOf(context).toolError, isError: true });
  }

  @Tool()
  async *streams(_text: string, context: ToolContext): AsyncGenerator<string> {
    context.reportProgress({ at: markersOf(context).progress });
    yield markersOf(context).progress;
    yield markersOf(context).result;
  }

  @Tool({ returnDirect: true })
  answersDirectly(_text: string, context: ToolContext): string {
    return markersOf(context).result;
  }

  @Tool()
  @UseGuards(RefusingGuard)
  isGuarded(text: string): string {
    return text;
  }

  @Tool({ timeout: 5 })
  takesTooLong(text: string): Observable<string> {
    return new Observable<string>(() => () => text);
  }

  @Tool({ needsApproval: true })
  asksFirst(text: string, context: ToolContext): string {
    return `${text} ${markersOf(context).result}`;
  }

  @Tool()
  isMisused(amount: number): string {
    return String(amount);
  }
}

function markersOf(context: ToolContext): Markers {
  return context.require<Markers>('markers');
}

interface ChatBody {
  readonly markers: Markers;
  readonly hasMemory: boolean;
  readonly approvals?: readonly ToolApproval[];
  readonly turnId?: string;
}

@Controller()
class ChatController {
  constructor(
    private readonly chatClient: ChatClient,
    private readonly chatMemory: ChatMemory,
  ) {}

  @Post('call')
  async call(@Req() request: object, @Body() body: ChatBody): Promise<object> {
    const response = await this.#spec(request, body).call().chatResponse();
    const { pendingApprovals } = response?.result?.metadata ?? {};
    return { text: response?.text, turnId: response?.metadata.turnId, isWaiting: pendingApprovals !== undefined };
  }

  @Post('sse')
  @Sse()
  sse(@Req() request: object, @Body() body: ChatBody): Observable<MessageEvent> {
    return toSse(this.#spec(request, body).stream().events());
  }

  @Post('ui')
  @Sse()
  ui(@Req() request: object, @Body() body: ChatBody): Observable<MessageEvent> {
    return toUIMessageStream(this.#spec(request, body).stream().events());
  }

  #spec(request: object, { markers, hasMemory, approvals, turnId }: ChatBody): ChatClientRequestSpec {
    const spec = this.chatClient.prompt().request(request).toolContext({ markers, secret: markers.context });
    const { chatMemory } = this;
    if (hasMemory) {
      spec.advisors(new MessageChatMemoryAdvisor({ chatMemory }), (a) => a.param(ChatMemory.CONVERSATION_ID, 'one'));
    }
    if (approvals) return spec.toolApprovals(approvals, { turnId });
    return spec.system(markers.system).user(markers.prompt);
  }
}

/** Keeps whatever it is told, to the last detail. */
class Log implements LoggerService {
  readonly lines: string[] = [];
  readonly log = (...told: unknown[]) => this.#keep(told);
  readonly error = (...told: unknown[]) => this.#keep(told);
  readonly warn = (...told: unknown[]) => this.#keep(told);
  readonly debug = (...told: unknown[]) => this.#keep(told);
  readonly verbose = (...told: unknown[]) => this.#keep(told);

  #keep(told: readonly unknown[]): void {
    this.lines.push(told.map((value) => (typeof value === 'string' ? value : inspect(value, { depth: 20 }))).join(' '));
  }
}

interface Loot {
  readonly logs: string;
  /** Spans and metrics. */
  readonly telemetry: string;
  /** Bodies of answers that say that something is wrong. */
  readonly errorBodies: string;
  /** What the browser has read. */
  readonly browser: string;
}

type Properties = NonNullable<Parameters<typeof serve>[2]>['ai'] extends infer Options
  ? Options extends { properties?: infer P }
    ? P
    : never
  : never;

let plantings = 0;

function plant(): Markers {
  const at = plantings++;
  return Object.fromEntries(PLACES.map((place) => [place, `${place}Marker${at}x`])) as unknown as Markers;
}

function scriptOf({ tool, model }: Attack, markers: Markers): ScriptEntry[] {
  const input = tool === 'isMisused' ? { amount: markers.argument } : { text: markers.argument };
  const asks: ScriptEntry = {
    text: markers.answer,
    reasoning: markers.reasoning,
    toolCalls: [toolCall(tool, input, 'call_1')],
  };
  if (model === 'answers') return [asks, markers.answer];
  return [
    asks,
    {
      chunks: [markers.answer],
      error: new ChatModelException('The model has failed.', {
        httpStatus: 400,
        responseBody: markers.providerError,
        responseHeaders: { 'x-account': markers.providerError },
        cause: new Error(markers.providerError),
      }),
    },
  ];
}

function approvalOf({ decision }: Attack, markers: Markers): ToolApproval {
  if (decision === 'approve') return { toolCallId: 'call_1', approved: true };
  if (decision === 'change') {
    return { toolCallId: 'call_1', approved: true, arguments: { text: markers.approvedArgument } };
  }
  const toolCallId = decision === 'deny badly' ? 'call_2' : 'call_1';
  return { toolCallId, approved: false, reason: markers.denial };
}

/** Runs an attack on a whole application, and gathers what anybody outside can see. */
async function run(attack: Attack, markers: Markers, properties: Properties = {}): Promise<Loot> {
  const log = new Log();
  const { app, url } = await serve(
    new ScriptedChatModel(scriptOf(attack, markers)),
    { controllers: [ChatController], providers: [Tools] },
    { logger: log, ai: { properties: { ui: { content: attack.content }, ...properties } } },
  );
  const loot = { errorBodies: '', browser: '' };
  const send = async (more: object = {}): Promise<string> => {
    const response = await fetch(`${url}/${attack.door}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${markers.header}` },
      body: JSON.stringify({ markers, hasMemory: attack.hasMemory, ...more }),
    });
    const text = await response.text();
    if (response.status >= 400) loot.errorBodies += text;
    else if (attack.door !== 'call') loot.browser += text;
    return text;
  };
  const first = await send();
  const [turnId] = /[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/.exec(first) ?? [];
  if (attack.tool === 'asksFirst') {
    expect(turnId).toBeDefined();
    await send({ turnId, approvals: [approvalOf(attack, markers)] });
  }
  await app.close();
  return { ...loot, logs: log.lines.join('\n'), telemetry: await recorder.everything() };
}

/** The places whose markers are in a text. */
function foundIn(text: string, markers: Markers): Place[] {
  return PLACES.filter((place) => text.includes(markers[place]));
}

/** What a browser may read: the answer, and of the tools what the property says. */
function shownTo({ content, tool }: Attack): readonly Place[] {
  const answer: Place[] = ['answer', 'reasoning', ...(tool === 'answersDirectly' ? (['result'] as const) : [])];
  return content === 'none' ? answer : [...answer, 'argument', 'approvedArgument', 'result', 'progress'];
}

describe('what is planted', () => {
  it('is in no log line, span, metric, error body or stream unless a switch says so', async () => {
    await assert(
      asyncProperty(ATTACKS, async (attack) => {
        const markers = plant();
        const { browser, ...closed } = await run(attack, markers);
        for (const [name, text] of Object.entries(closed)) expect([name, foundIn(text, markers)]).toEqual([name, []]);
        const leaked = foundIn(browser, markers).filter((place) => !shownTo(attack).includes(place));
        expect(leaked).toEqual([]);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it.each(TOOLS)('stays where it is when the tool %s, through each door', async (tool) => {
    for (const door of DOORS) {
      const attack: Attack = { door, tool, decision: 'change', model: 'fails', hasMemory: true, content: 'none' };
      const markers = plant();
      const { browser, ...closed } = await run(attack, markers);
      expect(Object.values(closed).flatMap((text) => foundIn(text, markers))).toEqual([]);
      expect(foundIn(browser, markers).filter((place) => !shownTo(attack).includes(place))).toEqual([]);
    }
  });

  it('is seen where a switch says so', async () => {
    const attack: Attack = {
      door: 'sse',
      tool: 'throws',
      decision: 'approve',
      model: 'answers',
      hasMemory: false,
      content: 'all',
    };
    const markers = plant();
    const { telemetry, logs, browser } = await run(attack, markers, {
      ui: { errors: 'message' },
      tools: { observations: { includeContent: true } },
      chat: { client: { observations: { logPrompt: true, logCompletion: true } } },
    });
    expect(foundIn(telemetry, markers)).toEqual(expect.arrayContaining(['argument', 'toolError', 'prompt', 'answer']));
    expect(foundIn(logs, markers)).toEqual(expect.arrayContaining(['prompt', 'answer']));
    expect(foundIn(browser, markers)).toEqual(expect.arrayContaining(['argument', 'toolError', 'answer']));
  });
});
