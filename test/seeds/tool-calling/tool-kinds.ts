import {
  ChatClient,
  ChatClientBuilder,
  type ChatModel,
  type ChatOptions,
  FunctionToolCallback,
  MethodToolCallback,
  Tool,
  type ToolCallback,
  ToolCallbacks,
  ToolCallingChatOptions,
  ToolDefinitions,
  toolProvider,
} from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { startApplication } from '../../nest/application.js';
import { WeatherRequest, WeatherService } from './weather-service.js';

/** A tool of one kind, and the ways to give it to a request, a client or a model. */
export interface ToolOfKind {
  readonly name: string;
  readonly description: string;
  /** What a model calls it with. */
  readonly input: object;
  /** What the model reads then. */
  readonly result: string;
  /** What `tools()` and `defaultTools()` are given. */
  readonly source: object | string;
  /** Options of a prompt or a model that have the tool. */
  readonly options: ChatOptions;
  /** The inputs of all calls so far. */
  readonly received: object[];
  /** A builder of clients that can have the tool. */
  clientBuilder(chatModel: ChatModel): Promise<ChatClientBuilder>;
}

type ToolKind = [kind: string, make: () => ToolOfKind];

export const QUESTION = 'What would you like to know?';

export const ANSWER = 'This is what I have learnt.';

/** A model that calls the tool once, and answers. */
export const scriptOf = ({ name, input }: ToolOfKind): ScriptEntry[] => [
  { toolCalls: [toolCall(name, input)] },
  ANSWER,
];

/** A tool that belongs to none of the kinds. */
export const ownTool = (name = 'own'): FunctionToolCallback =>
  new FunctionToolCallback({ name, toolFunction: () => `${name} done` });

function methodsWithTool(): ToolOfKind {
  class DateTimeTools {
    readonly received: object[] = [];

    @Tool({ description: "Get the current date and time in the user's timezone" })
    getCurrentDateTime(): string {
      this.received.push({});
      return '2015-10-20T10:00:00Z';
    }
  }
  const source = new DateTimeTools();
  return {
    name: 'getCurrentDateTime',
    description: "Get the current date and time in the user's timezone",
    input: {},
    result: '2015-10-20T10:00:00Z',
    source,
    received: source.received,
    ...ofCallbacks(ToolCallbacks.from(source)),
  };
}

function methodToolCallback(): ToolOfKind {
  const received: object[] = [];
  class TimeZoneTools {
    getTimeZone(): string {
      received.push({});
      return 'Europe/Copenhagen';
    }
  }
  const description = "Get the user's timezone";
  const source = MethodToolCallback.builder()
    .toolDefinition(ToolDefinitions.builder(TimeZoneTools, 'getTimeZone').description(description).build())
    .toolMethod('getTimeZone')
    .toolObject(new TimeZoneTools())
    .build();
  return {
    name: 'getTimeZone',
    description,
    input: {},
    result: 'Europe/Copenhagen',
    source,
    received,
    ...ofCallbacks([source]),
  };
}

const WEATHER = {
  name: 'currentWeather',
  description: 'Get the weather in location',
  input: { location: 'Copenhagen', unit: 'C' },
  result: '{"temp":30,"unit":"C"}',
};

function functionToolCallback(): ToolOfKind {
  const weatherService = new WeatherService();
  const source = FunctionToolCallback.builder<WeatherRequest>()
    .name(WEATHER.name)
    .toolFunction((request) => weatherService.getWeather(request))
    .description(WEATHER.description)
    .inputType(WeatherRequest)
    .build();
  return { ...WEATHER, source, received: weatherService.requests, ...ofCallbacks([source]) };
}

/** The application has other tools as well, and offers none by itself. */
function nameOfProvidedFunction(): ToolOfKind {
  const weatherService = new WeatherService();
  const currentWeather = toolProvider(WEATHER.name, {
    description: WEATHER.description,
    inputType: WeatherRequest,
    useFactory: () => (request) => weatherService.getWeather(request),
  });
  const wishes = toolProvider('wishes', { useFactory: () => () => 'sun' });
  return {
    ...WEATHER,
    source: WEATHER.name,
    options: ToolCallingChatOptions.builder().toolNames([WEATHER.name]).build(),
    received: weatherService.requests,
    clientBuilder: async (chatModel) => {
      const properties = { chat: { client: { defaultTools: 'none' as const } } };
      const { app } = await startApplication({ providers: [currentWeather, wishes] }, [], { chatModel, properties });
      return app.resolve(ChatClientBuilder);
    },
  };
}

function ofCallbacks(toolCallbacks: readonly ToolCallback[]): Pick<ToolOfKind, 'options' | 'clientBuilder'> {
  return {
    options: ToolCallingChatOptions.builder().toolCallbacks(toolCallbacks).build(),
    clientBuilder: async (chatModel) => ChatClient.builder(chatModel),
  };
}

/** The kinds that a model can be given without a client, which looks up names. */
export const CALLBACK_KINDS: ToolKind[] = [
  ['a method with @Tool', methodsWithTool],
  ['a MethodToolCallback', methodToolCallback],
  ['a FunctionToolCallback', functionToolCallback],
];

/** All kinds of tools of the page. */
export const TOOL_KINDS: ToolKind[] = [
  ...CALLBACK_KINDS,
  ['the name of a function of the application', nameOfProvidedFunction],
];
