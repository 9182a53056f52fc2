import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';
import { AlarmService } from './alarm.service.js';

/** The tools of the quick start: one reads, one acts. */
@Injectable()
export class DateTimeTools {
  constructor(private readonly alarms: AlarmService) {}

  @Tool({ description: 'Get the current date and time as ISO-8601', mcp: true, effect: 'read' })
  getCurrentDateTime(): string {
    return new Date().toISOString();
  }

  @Tool({ description: 'Set a user alarm for the given time' })
  setAlarm(
    @ToolParam({ description: 'Time in ISO-8601 format', schema: { type: 'string', format: 'date-time' } })
    time: string,
  ): string {
    const alarm = this.alarms.set(new Date(time));
    return `Alarm set for ${alarm.toISOString()}`;
  }
}
