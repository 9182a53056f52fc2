import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  type Prompt,
  type Resource,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';

/** What the user has answered, and the state of the server. */
export interface Answers {
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
  readonly requestState?: unknown;
}

/** A call that the server received. */
export interface RemoteCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly signal: AbortSignal;
  readonly caller: McpRequestContext;
  readonly answers: Answers;
  progress(progress: number, more?: { total?: number; message?: string }): Promise<void>;
}

/** The tool of a server, with anything that a server may say about it. */
export function remoteTool(name: string, more: object = {}): Tool {
  return { name, inputSchema: { type: 'object' }, ...more };
}

/** A text as the result of a call. */
export const saying = (text: string, more: object = {}): object => ({ content: [{ type: 'text', text }], ...more });

/** An MCP server of protocol 2026-07-28 in this process, which answers without a socket. */
export class Remote {
  tools: Tool[];
  resources: Resource[] = [];
  prompts: Prompt[] = [];
  /** The calls that arrived. */
  readonly calls: RemoteCall[] = [];
  call: (call: RemoteCall) => unknown = ({ name }) => saying(`result of ${name}`);
  read: (uri: string, answers: Answers) => unknown = () => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'no such resource');
  };
  get: (name: string, args: Record<string, string>, answers: Answers) => unknown = () => ({ messages: [] });
  /** Answers in place of the server, or throws as a network that is down. */
  intercept: ((request: Request) => Response | undefined | Promise<Response | undefined>) | undefined;
  readonly #handler: McpHttpHandler;

  constructor(...tools: readonly (string | Tool)[]) {
    this.tools = tools.map((tool) => (typeof tool === 'string' ? remoteTool(tool) : tool));
    this.#handler = createMcpHandler((context) => this.#serve(context), { responseMode: 'auto' });
  }

  readonly fetch: typeof fetch = async (url, init) => {
    const request = new Request(url, { ...init, duplex: 'half' });
    return (await this.intercept?.(request.clone())) ?? this.#handler.fetch(request);
  };

  /** Answers calls with results that no library checks. */
  answerUnchecked(result: object | string): void {
    this.intercept = async (request) => {
      const { id, method } = (await request.json()) as { id?: number; method: string };
      if (method !== 'tools/call') return undefined;
      const text = typeof result === 'string' ? result : JSON.stringify({ resultType: 'complete', ...result });
      const headers = { 'content-type': 'application/json' };
      return new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`, { headers });
    };
  }

  close(): Promise<void> {
    return this.#handler.close();
  }

  #serve(caller: McpRequestContext): Server {
    const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {} };
    const server = new Server({ name: 'remote', version: '1.0.0' }, { capabilities });
    server.setRequestHandler('tools/list', () => ({ tools: this.tools }));
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: input = {} } }, { mcpReq }) => {
      if (!this.tools.some((tool) => tool.name === name))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} not found`);
      const progressToken = mcpReq._meta?.progressToken ?? 0;
      const call: RemoteCall = {
        name,
        input,
        signal: mcpReq.signal,
        caller,
        answers: answersOf(mcpReq),
        progress: (progress, more = {}) =>
          mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, ...more } }),
      };
      this.calls.push(call);
      return (await this.call(call)) as never;
    });
    server.setRequestHandler(
      'resources/list',
      ({ params }) => pageOf(this.resources, 'resources', params?.cursor) as never,
    );
    server.setRequestHandler(
      'resources/read',
      ({ params }, { mcpReq }) => this.read(params.uri, answersOf(mcpReq)) as never,
    );
    server.setRequestHandler('prompts/list', ({ params }) => pageOf(this.prompts, 'prompts', params?.cursor) as never);
    server.setRequestHandler(
      'prompts/get',
      ({ params }, { mcpReq }) => this.get(params.name, params.arguments ?? {}, answersOf(mcpReq)) as never,
    );
    return server;
  }
}

function answersOf({ inputResponses, requestState }: ServerContext['mcpReq']): Answers {
  return { inputResponses, requestState: requestState() };
}

/** Two items are a page. */
function pageOf(items: readonly unknown[], key: string, cursor = '0'): object {
  const next = Number(cursor) + 2;
  return { [key]: items.slice(Number(cursor), next), ...(next < items.length && { nextCursor: String(next) }) };
}
