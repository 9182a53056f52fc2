import { Injectable, NotFoundException } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';
import { IsEmail } from 'class-validator';
import { AccountsService } from './accounts.service.js';

export class AccountQuery {
  /** Nestor checks it before a tool runs. */
  @IsEmail()
  email!: string;
}

@Injectable()
export class AccountsTools {
  constructor(private readonly accounts: AccountsService) {}

  @Tool({ description: 'Find the account of a customer' })
  findAccount({ email }: AccountQuery) {
    const account = this.accounts.find(email);
    if (!account) throw new NotFoundException(`There is no account ${email}`);
    return account;
  }

  @Tool({ description: 'Close the account of a customer', needsApproval: true })
  closeAccount({ email }: AccountQuery) {
    return this.accounts.close(email) ? `${email} is closed` : `There is no account ${email}`;
  }
}
