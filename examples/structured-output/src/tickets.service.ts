import { Injectable } from '@nestjs/common';
import { ChatClient } from '@nestor-ai/core';
import { Ticket } from './ticket.js';

@Injectable()
export class TicketsService {
  constructor(private readonly chatClient: ChatClient) {}

  /** Makes a ticket of a mail. An answer that does not fit the class goes back to the model with what is wrong. */
  fromMail(mail: string): Promise<Ticket> {
    return this.chatClient
      .prompt(mail)
      .system('Make a support ticket of the mail of a customer.')
      .call()
      .entity(Ticket, (entity) => entity.schemaValidation());
  }
}
