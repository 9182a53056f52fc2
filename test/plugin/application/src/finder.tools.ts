import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';
import { ItemDto } from './item.dto.js';
import type { SearchOptions } from './search-options.js';

@Injectable()
export class Finder {
  /**
   * Finds hotels in a city.
   *
   * @param city its name
   */
  @Tool()
  find(city: string, unit?: 'celsius' | 'fahrenheit', options: SearchOptions = {}): string {
    return `${city} ${unit} ${options.limit}`;
  }

  /** Orders something. */
  @Tool()
  order(item: ItemDto): string {
    return `${item.count} ${item.name}`;
  }
}
