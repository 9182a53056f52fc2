import { type Advisor, ChatClient, type ChatModel } from '@nestor-ai/core';
import { lastValueFrom, toArray } from 'rxjs';

/** A client of this model with these advisors. */
export const clientOf = (model: ChatModel, ...advisors: Advisor[]) =>
  ChatClient.builder(model)
    .defaultAdvisors(...advisors)
    .build();

/** How a client may be asked, for `describe.each`: what holds of an advisor holds both ways. */
export const bothWays = [
  ['call', async (client: ChatClient, text = 'Hi') => client.prompt(text).call().content()],
  [
    'stream',
    async (client: ChatClient, text = 'Hi') =>
      (await lastValueFrom(client.prompt(text).stream().content().pipe(toArray()))).join(''),
  ],
] as const;
