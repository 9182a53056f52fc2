import { Body, Controller, Post } from '@nestjs/common';
import { IsNotEmpty, IsString } from 'class-validator';
import { TicketsService } from './tickets.service.js';

class MailDto {
  @IsString()
  @IsNotEmpty()
  mail!: string;
}

@Controller('tickets')
export class TicketsController {
  constructor(private readonly tickets: TicketsService) {}

  @Post()
  create(@Body() { mail }: MailDto) {
    return this.tickets.fromMail(mail);
  }
}
