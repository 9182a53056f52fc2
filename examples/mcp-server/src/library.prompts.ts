import { Injectable } from '@nestjs/common';
import { McpPrompt } from '@nestor-ai/mcp';

@Injectable()
export class LibraryPrompts {
  @McpPrompt({ description: 'Recommends a book', complete: { mood: ['adventurous', 'thoughtful', 'tired'] } })
  recommend(mood: string) {
    return `Which book of this library fits a reader who is ${mood}? Use the tools.`;
  }
}
