import { NestFactory } from '@nestjs/core';
import { ClaimedStdout } from './claimed-stdout.js';
import { type McpStdioOptions, McpStdioServer } from './mcp-stdio-server.js';

type CreateContext = typeof NestFactory.createApplicationContext;

/** What `NestFactory.createApplicationContext()` takes, and who calls the server. */
export type ServeMcpStdioOptions = McpStdioOptions & NonNullable<Parameters<CreateContext>[1]>;

/**
 * Runs an application as an MCP server over stdin and stdout, as clients start one with a command.
 * Everything that the process prints goes to stderr: logs, and `console.log` in your tools. Only a
 * logger that writes to the file descriptor 1 itself, as pino does, needs the destination 2. The
 * application closes when the client closes stdin.
 *
 * If you create the application yourself, call `app.get(McpStdioServer).serve()`, and let its
 * logger write to stderr from the start.
 *
 * @param module the root module. It imports `McpServerModule`.
 * @example
 * await serveMcpStdio(AppModule);
 */
export async function serveMcpStdio(
  module: Parameters<CreateContext>[0],
  { auth, ...contextOptions }: ServeMcpStdioOptions = {},
): Promise<void> {
  const stdout = new ClaimedStdout();
  try {
    const app = await NestFactory.createApplicationContext(module, contextOptions);
    app.enableShutdownHooks();
    await app.get(McpStdioServer).serveStreams({ stdin: process.stdin, stdout }, { ...(auth && { auth }) });
    await app.close();
  } finally {
    stdout.release();
  }
}
