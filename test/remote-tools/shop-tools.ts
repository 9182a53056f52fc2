import { type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { Tool, ToolContext, ToolInputRequiredException, ToolResult } from '@nestor-ai/core';
import type { RemoteCaller } from '@nestor-ai/remote-tools';

@Injectable()
class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return isAdmin(context.switchToHttp().getRequest<RemoteCaller>());
  }
}

function isAdmin({ user }: RemoteCaller): boolean {
  return (user?.['roles'] as string[] | undefined)?.includes('admin') ?? false;
}

/** What happened in this process. */
export interface Deeds {
  readonly ran: string[];
  readonly aborted: unknown[];
}

/** The tools of the service. */
@Injectable()
export class ShopTools {
  readonly deeds: Deeds = { ran: [], aborted: [] };

  @Tool({
    description: 'Finds an order',
    remote: true,
    effect: 'read',
    inputSchema: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] },
    outputSchema: { type: 'object', properties: { id: { type: 'integer' }, by: { type: 'string' } } },
    metadata: { category: 'orders' },
  })
  findOrder({ id }: { id: number }, context: ToolContext<object, RemoteCaller>): object {
    this.deeds.ran.push(`findOrder ${id}`);
    return { id, by: context.request?.user?.id ?? 'unknown', pid: process.pid };
  }

  @Tool({ description: 'Deletes all orders', remote: true })
  @UseGuards(AdminGuard)
  deleteOrders(): string {
    this.deeds.ran.push('deleteOrders');
    return 'deleted';
  }

  @Tool({ description: 'Closes the shop', remote: true, visible: ({ request }) => isAdmin(request as RemoteCaller) })
  closeShop(): string {
    this.deeds.ran.push('closeShop');
    return 'closed';
  }

  @Tool({ description: 'Runs until it is stopped', remote: true })
  async wait(context: ToolContext): Promise<string> {
    this.deeds.ran.push('wait');
    context.reportProgress({ done: 1 });
    await new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => {
        this.deeds.aborted.push((context.signal.reason as Error).name);
        resolve();
      });
    });
    return 'stopped';
  }

  @Tool({ description: 'Runs too long', remote: true, timeout: 50 })
  async hurry(context: ToolContext): Promise<void> {
    await new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => {
        this.deeds.aborted.push((context.signal.reason as Error).name);
        resolve();
      });
    });
  }

  @Tool({ description: 'Books a seat', remote: true, replaySafe: true })
  book(context: ToolContext<object, RemoteCaller>): string {
    if (!context.input) {
      throw new ToolInputRequiredException({
        message: 'Which seat?',
        schema: { type: 'object', properties: { seat: { type: 'string' } }, required: ['seat'] },
      });
    }
    return `booked ${String(context.input.content['seat'])}`;
  }

  @Tool({ description: 'Pays', remote: true, needsApproval: true, effect: 'irreversible' })
  pay(context: ToolContext<object, RemoteCaller>): string {
    const { idempotencyKey, turnId, toolCallId } = context.request!;
    this.deeds.ran.push('pay');
    const isSame = idempotencyKey === `${turnId}:${toolCallId}` && context.idempotencyKey === idempotencyKey;
    return `paid ${isSame && context.toolCall.id === toolCallId}`;
  }

  @Tool({
    description: 'Refunds an order',
    remote: true,
    needsApproval: ({ amount }: { amount: number }) => amount > 100,
    inputSchema: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
  })
  refund({ amount }: { amount: number }, context: ToolContext<object, RemoteCaller>): string {
    this.deeds.ran.push(`refund ${amount} approved by ${context.request?.user?.id}`);
    return `refunded ${amount}`;
  }

  @Tool({ description: 'Reads a page', remote: true })
  page(): ToolResult {
    return new ToolResult({
      text: 'a page',
      content: [{ type: 'image', mimeType: 'image/png', data: new Uint8Array([1, 2, 3]) }],
      untrusted: true,
    });
  }

  @Tool({ description: 'Writes a report', remote: true, replaySafe: true })
  async report(context: ToolContext): Promise<string> {
    context.reportProgress('begun');
    // The process that is killed never answers.
    if (process.env['NEVER_REPORTS']) await new Promise(() => undefined);
    return 'reported';
  }

  @Tool({ description: 'Not for others' })
  secret(): string {
    return 'secret';
  }
}
