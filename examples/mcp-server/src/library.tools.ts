import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';
import { McpResource } from '@nestor-ai/mcp';
import { IsBoolean, IsString } from 'class-validator';

class Book {
  @IsString() id!: string;
  @IsString() title!: string;
  @IsBoolean() isLent!: boolean;
}

@Injectable()
export class LibraryTools {
  // Your database.
  private readonly books = new Map<string, Book>([
    ['b1', { id: 'b1', title: 'The Iliad', isLent: false }],
    ['b2', { id: 'b2', title: 'The Odyssey', isLent: true }],
  ]);

  @Tool({ mcp: true, effect: 'read', description: 'Find books by words of the title', outputType: [Book] })
  findBooks(@ToolParam({ description: 'A part of the title' }) title: string) {
    return [...this.books.values()].filter((book) => book.title.includes(title));
  }

  @Tool({ mcp: true, description: 'Lend a book to the caller' })
  lendBook(@ToolParam({ description: 'The id of the book' }) id: string) {
    const book = this.books.get(id);
    if (!book) return `There is no book ${id}`;
    if (book.isLent) return `${book.title} is lent already`;
    book.isLent = true;
    return `${book.title} is yours for four weeks`;
  }

  @McpResource({ uriTemplate: 'library://books/{id}', description: 'A book' })
  book(id: string) {
    return this.books.get(id);
  }
}
