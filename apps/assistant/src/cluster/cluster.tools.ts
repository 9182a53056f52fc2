import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Tool, ToolContext, ToolParam } from '@nestor-ai/core';

/** How long a report takes, in milliseconds. */
const REPORT_TIME = 1500;

/** Tools that take long. */
@Injectable()
export class ClusterTools {
  /** A report may be written twice, so a call that was interrupted runs again. */
  @Tool({ description: 'Writes the sales report of a customer', job: { queue: 'reports' }, replaySafe: true })
  async writeSalesReport(
    @ToolParam({ description: 'The number of the customer' }) customerId: number,
    context: ToolContext,
  ): Promise<string> {
    say(`writes the report of customer ${customerId}`);
    await sleep(REPORT_TIME, undefined, { signal: context.signal });
    return `Customer ${customerId} bought goods for ${customerId * 100} euros.`;
  }

  @Tool({ description: 'Asks the credit bureau about a customer' })
  askCreditBureau(
    @ToolParam({ description: 'The number of the customer' }) customerId: number,
    context: ToolContext,
  ): string {
    say(`asks the bureau about customer ${customerId}`);
    return context.defer();
  }
}

function say(text: string): void {
  console.log(`  worker ${process.env.WORKER ?? '?'} ${text}`);
}
