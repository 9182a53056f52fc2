import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';

@Injectable()
export class PaymentsTools {
  @Tool({
    description: 'Transfer money to a person',
    needsApproval: ({ amount }: { amount: number }) => amount > 100,
  })
  transfer(@ToolParam({ description: 'In euros' }) amount: number, to: string) {
    return `${amount} euros transferred to ${to}`;
  }
}
