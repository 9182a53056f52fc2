/** The tool, described by its types and its comment: the compiler plugin reads them. */
const TYPED_TOOL = `import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';

@Injectable()
export class WeatherTools {
  /** Get the current temperature of a city. */
  @Tool()
  getTemperature(city: string, unit: 'celsius' | 'fahrenheit' = 'celsius') {
    // Ask your weather service here.
    return { city, temperature: unit === 'celsius' ? 21 : 70 };
  }
}
`;

/** The same where the plugin does not run. */
const DECORATED_TOOL = `import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';

@Injectable()
export class WeatherTools {
  @Tool({
    description: 'Get the current temperature of a city in degrees Celsius',
  })
  getTemperature(@ToolParam({ description: 'Name of the city' }) city: string) {
    // Ask your weather service here.
    return { city, temperature: 21 };
  }
}
`;

/** The files of the example, by their names in its folder. */
export const chatFiles = (extension: string, isTyped: boolean): Record<string, string> => ({
  'weather.tools.ts': isTyped ? TYPED_TOOL : DECORATED_TOOL,
  'chat.controller.ts': `import {
  BadRequestException,
  Body,
  Controller,
  Post,
  Req,
} from '@nestjs/common';
import { ChatClient } from '@nestor-ai/core';

@Controller('chat')
export class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Post()
  async chat(@Body('message') message: unknown, @Req() request: object) {
    if (typeof message !== 'string') {
      throw new BadRequestException('Send a JSON object with a message.');
    }
    // With the request, guards of tools know its user.
    const answer = await this.chatClient
      .prompt(message)
      .request(request)
      .call()
      // A call that waits for approval has no text: .chatResponse() has its turnId.
      .content();
    return { answer };
  }
}
`,
  'chat.module.ts': `import { Module } from '@nestjs/common';
import { ChatController } from './chat.controller${extension}';
import { WeatherTools } from './weather.tools${extension}';

@Module({
  controllers: [ChatController],
  providers: [WeatherTools],
})
export class ChatModule {}
`,
});

/** The root module, as the test imports it. */
export interface ImportedModule {
  readonly symbol: string;
  readonly from: string;
}

/** The test of the example, in the style of the test that `nest new` makes. */
export const chatTest = (
  { symbol, from }: ImportedModule,
  extension: string,
): string => `import { Test, TestingModule } from '@nestjs/testing';
import { INestApplication } from '@nestjs/common';
import { ChatModel } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import request from 'supertest';
import { App } from 'supertest/types${extension}';
import { ${symbol} } from '${from}';

describe('ChatController (e2e)', () => {
  let app: INestApplication<App>;
  let model: ScriptedChatModel;

  beforeEach(async () => {
    model = new ScriptedChatModel([
      { toolCalls: [toolCall('getTemperature', { city: 'Paris' })] },
      'It is 21 degrees in Paris.',
    ]);
    const moduleFixture: TestingModule = await Test.createTestingModule({
      imports: [${symbol}],
    })
      .overrideProvider(ChatModel)
      .useValue(model)
      .compile();

    app = moduleFixture.createNestApplication();
    await app.init();
  });

  it('/chat (POST)', async () => {
    await request(app.getHttpServer())
      .post('/chat')
      .send({ message: 'How warm is it in Paris?' })
      .expect(201)
      .expect({ answer: 'It is 21 degrees in Paris.' });
    expect(model.toolResponses).toEqual([
      JSON.stringify({ city: 'Paris', temperature: 21 }),
    ]);
  });

  afterEach(async () => {
    await app.close();
  });
});
`;
