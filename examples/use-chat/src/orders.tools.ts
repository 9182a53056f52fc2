import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';

@Injectable()
export class OrdersTools {
  @Tool({ description: 'Find an order, with its total in euros' })
  findOrder(@ToolParam({ description: 'The number of the order' }) id: number) {
    return { id, total: 12.5 * id };
  }

  @Tool({ description: 'Refund an order', needsApproval: true })
  refundOrder(@ToolParam({ description: 'The number of the order' }) id: number) {
    return `Order ${id} is refunded`;
  }
}
