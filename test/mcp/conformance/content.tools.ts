import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Tool, type ContentPart, ToolContext, ToolResult } from '@nestor-ai/core';
import { McpNotifier } from '@nestor-ai/mcp';
import { PIXEL, SILENCE } from './media.js';

const IMAGE: ContentPart = { type: 'image', mimeType: 'image/png', data: PIXEL };

/** The tools of the suite that return each kind of content, report progress, fail or change lists. */
@Injectable()
export class ContentTools {
  constructor(private readonly notifier: McpNotifier) {}

  @Tool({ mcp: true, name: 'test_simple_text' })
  simpleText(): string {
    return 'This is a simple text response for testing.';
  }

  @Tool({ mcp: true, name: 'test_image_content' })
  image(): ToolResult {
    return new ToolResult({ text: '', content: [IMAGE] });
  }

  @Tool({ mcp: true, name: 'test_audio_content' })
  audio(): ToolResult {
    return new ToolResult({ text: '', content: [{ type: 'file', mimeType: 'audio/wav', data: SILENCE }] });
  }

  @Tool({ mcp: true, name: 'test_embedded_resource' })
  embeddedResource(): ToolResult {
    return new ToolResult({ text: '', content: [textFile('This is an embedded resource content.', 'text/plain')] });
  }

  @Tool({ mcp: true, name: 'test_multiple_content_types' })
  everyKind(): ToolResult {
    return new ToolResult({
      text: 'Multiple content types test:',
      content: [IMAGE, textFile('{"test":"data","value":123}', 'application/json')],
    });
  }

  @Tool({ mcp: true, name: 'test_tool_with_progress' })
  async progress(context: ToolContext): Promise<string> {
    for (const progress of [0, 50, 100]) context.reportProgress({ progress, total: 100 });
    // The clients of the SDK drop progress that they read together with the result.
    await setTimeout(500);
    return 'done';
  }

  @Tool({ mcp: true, name: 'test_error_handling' })
  fail(): never {
    throw new Error('This tool intentionally returns an error for testing');
  }

  /** It does not log: the suite checks that no log messages arrive without a level. */
  @Tool({ mcp: true, name: 'test_logging_tool' })
  silent(): string {
    return 'No message was logged.';
  }

  @Tool({ mcp: true, name: 'test_streaming_elicitation' })
  plain(): string {
    return 'The stream has a result and no request.';
  }

  @Tool({ mcp: true, name: 'test_trigger_tool_change' })
  changeTools(): string {
    this.notifier.toolsChanged();
    return 'The tools have changed.';
  }

  @Tool({ mcp: true, name: 'test_trigger_prompt_change' })
  changePrompts(): string {
    this.notifier.promptsChanged();
    return 'The prompts have changed.';
  }
}

function textFile(text: string, mimeType: string): ContentPart {
  return { type: 'file', mimeType, name: 'test.txt', data: Buffer.from(text) };
}
