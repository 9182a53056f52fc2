/** What the files of a tool are made of. */
export interface ToolNames {
  /** The class. */
  readonly symbol: string;
  /** The method, which is the tool's name for the model. */
  readonly method: string;
  /** Where the test imports the class from. */
  readonly from: string;
}

/** A class with one tool. */
export const toolClass = ({ symbol, method }: ToolNames): string => `import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';

@Injectable()
export class ${symbol} {
  @Tool({
    description: 'Tell the model what this tool does and when to call it',
  })
  ${method}(
    @ToolParam({ description: 'Tell the model what to put here' })
    input: string,
  ) {
    return { input };
  }
}
`;

/** Its test: the model of the script calls the tool. */
export const toolTest = ({ symbol, method, from }: ToolNames): string => `import { Test } from '@nestjs/testing';
import { AiModule, ChatClient } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { ${symbol} } from '${from}';

describe('${symbol}', () => {
  it('answers a call of the model', async () => {
    const model = new ScriptedChatModel([
      { toolCalls: [toolCall('${method}', { input: 'hello' })] },
      'Done.',
    ]);
    const module = await Test.createTestingModule({
      imports: [AiModule.forRoot({ chatModel: model })],
      providers: [${symbol}],
    }).compile();
    await module.init();

    await module.get(ChatClient).prompt('Call the tool').call().content();

    expect(model.toolResponses).toEqual([JSON.stringify({ input: 'hello' })]);
    await module.close();
  });
});
`;
