import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';

@Injectable()
export class MailTools {
  @Tool({ description: 'Send an e-mail to a person' })
  sendEmail(to: string, text: string) {
    return `Sent to ${to}: ${text}`;
  }

  @Tool({ description: 'List the e-mails that nobody has read yet' })
  listUnreadEmails() {
    return ['Lunch?', 'Invoice 17'];
  }

  @Tool({ description: 'Answer e-mails automatically during a holiday' })
  turnOnAutoReply(text: string) {
    return `Auto-reply: ${text}`;
  }

  @Tool({ description: 'Move an e-mail to the archive' })
  archiveEmail(subject: string) {
    return `${subject} is archived`;
  }
}
