import { Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Tool } from '@nestor-ai/core';
import { TenantDatabase } from './tenant/tenant.database.js';

/** Nest makes one instance for each request. */
@Injectable({ scope: Scope.REQUEST })
export class InvoicesTools {
  constructor(
    private readonly database: TenantDatabase,
    @Inject(REQUEST) private readonly request: { headers: { 'x-user'?: string } },
  ) {}

  @Tool({ description: 'List the invoices of the company' })
  listInvoices() {
    return { for: this.request.headers['x-user'], invoices: this.database.findInvoices() };
  }
}
