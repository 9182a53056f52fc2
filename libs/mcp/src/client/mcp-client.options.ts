/** The default of `timeout`, in milliseconds. */
export const DEFAULT_TIMEOUT = 60_000;

/** The default of `connectTimeout`, in milliseconds. */
export const DEFAULT_CONNECT_TIMEOUT = 10_000;

/** An MCP server whose tools your application uses: an address, or a command that starts it. */
export interface McpServerConnection {
  /** The name of the server in your application: letters, digits, `-` and `_`. */
  readonly name: string;
  /** The address of a server over Streamable HTTP. */
  readonly url?: string | URL;
  /** HTTP headers of every request to `url`. For tokens of users, provide `McpCredentials`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The program of a server over stdio. It is started without a shell. */
  readonly command?: string;
  /** The arguments of `command`. */
  readonly args?: readonly string[];
  /** Environment variables of `command`. It gets no others, apart from PATH, HOME and the like. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory of `command`. Default: that of the application. */
  readonly cwd?: string;
  /**
   * Whether the name of the server, as `github_`, comes before the names of its tools. `collision`:
   * only before names that other tools have. `always`, `never`. Default: `collision`.
   */
  readonly prefix?: 'collision' | 'always' | 'never';
  /** The tools to use, by the names of the server. `*` stands for any characters. Default: all. */
  readonly include?: readonly string[];
  /** The tools to leave out, by the names of the server. `*` stands for any characters. */
  readonly exclude?: readonly string[];
  /**
   * Whether the application connects when it starts, and does not start without the server. If
   * false, it connects when a request first needs the tools, and goes on without them if the
   * server is down. Default: false.
   */
  readonly required?: boolean;
  /**
   * The longest time of one call, in milliseconds. It starts again with each progress report, up to
   * 60 times this time in all. Default: 60,000.
   */
  readonly timeout?: number;
  /** The longest time to connect, in milliseconds. Default: 10,000. */
  readonly connectTimeout?: number;
  /**
   * Whether the model gets two tools that list and read the resources of the server. Default:
   * false.
   */
  readonly resourceTools?: boolean;
  /** Whether the model gets two tools that list and get the prompts of the server. Default: false. */
  readonly promptTools?: boolean;
  /** Whether the server is switched on. Default: true. */
  readonly enabled?: boolean;
  /** Sends the HTTP requests in place of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** The options of `McpClientModule.forRoot()`. The properties `ai.mcp.servers.<name>.*` override them. */
export interface McpClientModuleOptions {
  readonly servers?: readonly McpServerConnection[];
}
