import { Inject, Injectable, Logger, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';

const INVOICES = [
  { tenant: 'acme', id: 1, total: 120 },
  { tenant: 'acme', id: 2, total: 80 },
  { tenant: 'globex', id: 3, total: 999 },
];

/** The connection of one tenant. It is durable: all requests of the tenant share it. */
@Injectable({ scope: Scope.REQUEST, durable: true })
export class TenantDatabase {
  constructor(@Inject(REQUEST) private readonly payload: { tenant: string }) {
    new Logger('TenantDatabase').log(`Connected to the database of ${payload.tenant}`);
  }

  findInvoices() {
    return INVOICES.filter(({ tenant }) => tenant === this.payload.tenant).map(({ id, total }) => ({ id, total }));
  }
}
