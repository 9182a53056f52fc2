/** What the files of a tool are made of. */
export interface ToolNames {
  /** The class. */
  readonly symbol: string;
  /** The method, which is the tool's name for the model. */
  readonly method: string;
  /** Where the test imports the class from. */
  readonly from: string;
  /** Where the test imports the types of tools from. Undefined where the compiler plugin's file is not. */
  readonly metadata: string | undefined;
}

/** A class with one tool. */
export const toolClass = ({
  symbol,
  method,
  metadata,
}: ToolNames): string => `import { Injectable } from '@nestjs/common';
import { ${metadata === undefined ? 'Tool, ToolParam' : 'Tool'} } from '@nestor-ai/core';

@Injectable()
export class ${symbol} {
${metadata === undefined ? decorated(method) : typed(method)} {
    return { input };
  }
}
`;

const decorated = (method: string): string => `  @Tool({
    description: 'Tell the model what this tool does and when to call it',
  })
  ${method}(
    @ToolParam({ description: 'Tell the model what to put here' })
    input: string,
  )`;

/** The compiler plugin reads types and comments. */
const typed = (method: string): string => `  /**
   * Tell the model what this tool does and when to call it.
   * @param input Tell the model what to put here
   */
  @Tool()
  ${method}(input: string)`;

const PLAIN = 'AiModule.forRoot({ chatModel: model })';
const TYPED = `
        AiModule.forRoot({ chatModel: model, pluginMetadata: metadata }),
      `;

/** Its test: the model of the script calls the tool. */
export const toolTest = ({
  symbol,
  method,
  from,
  metadata,
}: ToolNames): string => `import { Test } from '@nestjs/testing';
import { AiModule, ChatClient } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
${metadata === undefined ? '' : `import metadata from '${metadata}';\n`}import { ${symbol} } from '${from}';

describe('${symbol}', () => {
  it('answers a call of the model', async () => {
    const model = new ScriptedChatModel([
      { toolCalls: [toolCall('${method}', { input: 'hello' })] },
      'Done.',
    ]);
    const module = await Test.createTestingModule({
      imports: [${metadata === undefined ? PLAIN : TYPED}],
      providers: [${symbol}],
    }).compile();
    await module.init();

    await module.get(ChatClient).prompt('Call the tool').call().content();

    expect(model.toolResponses).toEqual([JSON.stringify({ input: 'hello' })]);
    await module.close();
  });
});
`;
