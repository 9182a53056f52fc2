import { Injectable } from '@nestjs/common';
import { Tool, ToolContext, ToolParam } from '@nestor-ai/core';

interface Customer {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/** The customers of two tenants. */
const CUSTOMERS: Readonly<Record<string, readonly Customer[]>> = {
  acme: [
    { id: 42, name: 'Ada Lovelace', email: 'ada@acme.example' },
    { id: 43, name: 'Charles Babbage', email: 'charles@acme.example' },
  ],
  globex: [{ id: 42, name: 'Grace Hopper', email: 'grace@globex.example' }],
};

/** The tenant of requests that name none, such as those of the inspector. */
const DEFAULT_TENANT = 'acme';

/** Tools for one tenant. The tool context has the tenant, so the model cannot choose it. */
@Injectable()
export class CustomerTools {
  readonly #deleted = new Set<Customer>();

  @Tool({ description: 'Find the name of a customer by the customer id', effect: 'read' })
  findCustomer(
    @ToolParam({ description: 'Id of the customer', type: 'integer' }) customerId: number,
    context: ToolContext,
  ): string {
    return this.#customer(customerId, context).name;
  }

  @Tool({ description: 'Export the full record of a customer as JSON, unchanged', returnDirect: true, effect: 'read' })
  exportCustomer(
    @ToolParam({ description: 'Id of the customer', type: 'integer' }) customerId: number,
    context: ToolContext,
  ): Customer {
    return this.#customer(customerId, context);
  }

  /** A human approves it first, such as in the inspector. */
  @Tool({ description: 'Delete a customer', effect: 'irreversible', needsApproval: true })
  deleteCustomer(
    @ToolParam({ description: 'Id of the customer', type: 'integer' }) customerId: number,
    context: ToolContext,
  ): string {
    const customer = this.#customer(customerId, context);
    this.#deleted.add(customer);
    return `Deleted ${customer.name}.`;
  }

  #customer(customerId: number, context: ToolContext): Customer {
    const tenant = context.get<string>('tenant') ?? DEFAULT_TENANT;
    const customers = Object.hasOwn(CUSTOMERS, tenant) ? CUSTOMERS[tenant] : undefined;
    const found = customers?.find((customer) => customer.id === customerId);
    if (!found || this.#deleted.has(found)) throw new Error(`There is no customer ${customerId}.`);
    return found;
  }
}
