import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsString, Min, ValidateNested } from 'class-validator';

export class Item {
  @IsString() article!: string;
  @IsInt() @Min(1) amount!: number;
}

export class Order {
  @IsString() customer!: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
}

/** Together these tools make core load each dependency that it loads late. */
@Injectable()
export class ShopTools {
  @Tool({ description: 'Places an order' })
  order(order: Order): string {
    const items = order.items.map((item) => `${item.amount} ${item.article}, ${item instanceof Item}`);
    return `${order.customer}: ${items.join('; ')}`;
  }

  @Tool({ description: 'Tells the price of an article', rateLimit: { calls: 1, interval: 3_600_000 }, retry: 2 })
  price(article: string, amount = 1, currency: string = ['E', 'U', 'R'].join('')): string {
    if (tries++ === 0) throw new Error('the first try fails');
    return `${amount} ${article}: ${amount * 7} ${currency}`;
  }
}

let tries = 0;
