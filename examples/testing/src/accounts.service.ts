import { Injectable } from '@nestjs/common';

export interface Account {
  email: string;
  plan: 'free' | 'pro';
}

/** Your database. */
@Injectable()
export class AccountsService {
  private readonly accounts = new Map<string, Account>([
    ['ann@example.com', { email: 'ann@example.com', plan: 'pro' }],
    ['bob@example.com', { email: 'bob@example.com', plan: 'free' }],
  ]);

  find(email: string) {
    return this.accounts.get(email);
  }

  close(email: string) {
    return this.accounts.delete(email);
  }
}
