import { Injectable } from '@nestjs/common';
import { ToolContext } from '@nestor-ai/core';
import { McpPrompt } from '@nestor-ai/mcp';
import { ask, form, formOf } from './input.tools.js';
import { PIXEL } from './media.js';

/** The prompts of the suite. */
@Injectable()
export class SuitePrompts {
  @McpPrompt({ name: 'test_simple_prompt', description: 'A prompt without arguments' })
  simple(): string {
    return 'This is a simple prompt for testing.';
  }

  @McpPrompt({
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments',
    complete: { arg1: ['paris', 'party'] },
  })
  withArguments(arg1: string, arg2: string): string {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  @McpPrompt({ name: 'test_prompt_with_embedded_resource', description: 'A prompt with a resource' })
  withResource(resourceUri: string): object[] {
    const resource = { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
    return [
      { role: 'user', content: { type: 'resource', resource } },
      { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
    ];
  }

  @McpPrompt({ name: 'test_prompt_with_image', description: 'A prompt with an image' })
  withImage(): object[] {
    return [
      { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ];
  }

  @McpPrompt({ name: 'test_input_required_result_prompt', description: 'A prompt that asks for its context' })
  withInput(context: ToolContext): string {
    const question = { user_context: form('What context should the prompt use?', 'context') };
    return `Use the following context: ${String(formOf(ask(context, question)['user_context'])['context'])}`;
  }
}
