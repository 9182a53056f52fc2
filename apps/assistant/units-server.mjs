/* An MCP server over standard input and output, as other people write them. The assistant starts it. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const METRES = { metre: 1, kilometre: 1000, mile: 1609.344, foot: 0.3048 };
const unit = z.enum(Object.keys(METRES));

serveStdio(() => {
  const server = new McpServer({ name: 'units', version: '1.0.0' });
  server.registerTool(
    'convertLength',
    {
      description: 'Convert a length from one unit to another',
      inputSchema: z.object({ length: z.number(), from: unit, to: unit }),
    },
    async ({ length, from, to }) => ({
      content: [{ type: 'text', text: `${Number(((length * METRES[from]) / METRES[to]).toFixed(3))} ${to}` }],
    }),
  );
  return server;
});
