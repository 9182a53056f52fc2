import {
  booleanProperty,
  choiceProperty,
  durationProperty,
  listProperty,
  pairsProperty,
  type PropertyType,
  secretProperty,
  textProperty,
} from '@nestor-ai/core';
import { DEFAULT_CONNECT_TIMEOUT, DEFAULT_TIMEOUT } from './mcp-client.options.js';

const PAIRS = 'an object of texts, or names and values such as a=1,b=2';

/** The properties of a server, under `ai.mcp.servers.<name>`. */
export const MCP_SERVER_PROPERTIES = {
  /** The address of a server over Streamable HTTP. */
  url: addressProperty(),
  /**
   * HTTP headers of every request to `url`: an object, or text such as `x-team=blue,x-trace=on`.
   */
  headers: pairsProperty(`HTTP headers: ${PAIRS}`, isHeader),
  /** The program of a server over stdio. Nestor starts it without a shell. */
  command: textProperty(),
  /** The arguments of `command`, separated by commas. */
  args: secretProperty(listProperty()),
  /**
   * Environment variables of `command`: an object, or text such as `REGION=eu,LEVEL=2`. The program
   * gets no others, apart from `PATH`, `HOME` and the like.
   */
  env: pairsProperty(`environment variables: ${PAIRS}`, isVariable),
  /**
   * The working directory of `command`.
   *
   * @default that of the application
   */
  cwd: textProperty(),
  /**
   * Whether the name of the server, as `github_`, comes before the names of its tools: only before
   * names that other tools have (`collision`), `always` or `never`.
   */
  prefix: choiceProperty('collision', ['collision', 'always', 'never'] as const),
  /**
   * The tools to use, by the names of the server. `*` stands for any characters.
   *
   * @default all
   */
  include: listProperty(),
  /** The tools to leave out, by the names of the server. `*` stands for any characters. */
  exclude: listProperty(),
  /** Whether the application connects when it starts, and does not start without the server. */
  required: booleanProperty(false),
  /** How long one call may take. Progress extends it. */
  timeout: durationProperty(DEFAULT_TIMEOUT),
  /** How long connecting may take, and listing the tools. */
  connectTimeout: durationProperty(DEFAULT_CONNECT_TIMEOUT),
  /** Whether the model gets two tools that list and read the resources of the server. */
  resourceTools: booleanProperty(false),
  /** Whether the model gets two tools that list and get the prompts of the server. */
  promptTools: booleanProperty(false),
  /** `false` leaves the server out. */
  enabled: booleanProperty(true),
};

/** The query of an address may have a key. */
function addressProperty(): PropertyType<string | undefined> {
  return {
    allowed: 'an address such as https://mcp.example.com/mcp, without a user name and a password',
    defaultValue: undefined,
    isSecret: true,
    read: (value) => {
      const text = typeof value === 'string' ? value.trim() : '';
      if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return undefined;
      const { username, password } = new URL(text);
      return username === '' && password === '' ? text : undefined;
    },
  };
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}

function isVariable(name: string, value: string): boolean {
  return /^[^=\0]+$/.test(name) && !value.includes('\0');
}
