import { Injectable, NotFoundException } from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';

@Injectable()
export class OrdersService {
  // Your database.
  private readonly orders = [
    { id: 7, status: 'shipped', carrier: 'DHL' },
    { id: 8, status: 'packed' },
  ];

  @Tool({ description: 'Find an order, with its status and carrier' })
  findOrder(@ToolParam({ description: 'The number of the order' }) id: number) {
    const order = this.orders.find((order) => order.id === id);
    if (!order) throw new NotFoundException(`There is no order ${id}`);
    return order;
  }
}
