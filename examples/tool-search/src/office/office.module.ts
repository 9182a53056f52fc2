import { Module } from '@nestjs/common';
import { CalendarTools } from './calendar.tools.js';
import { MailTools } from './mail.tools.js';
import { TravelTools } from './travel.tools.js';

@Module({ providers: [CalendarTools, MailTools, TravelTools] })
export class OfficeModule {}
