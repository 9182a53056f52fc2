import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';
import { Roles } from './auth/roles.decorator.js';

@Injectable()
export class ArticlesTools {
  // Your database.
  private readonly articles = new Map([
    [1, 'Hello'],
    [2, 'Old news'],
  ]);

  @Tool({ description: 'List all articles' })
  listArticles() {
    return [...this.articles.values()];
  }

  @Roles(['admin'])
  @Tool({ description: 'Delete an article' })
  deleteArticle(@ToolParam({ description: 'The number of the article' }) id: number) {
    return this.articles.delete(id) ? `Article ${id} is deleted` : `There is no article ${id}`;
  }
}
