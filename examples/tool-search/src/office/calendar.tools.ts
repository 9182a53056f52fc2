import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';

@Injectable()
export class CalendarTools {
  @Tool({ description: 'Book a meeting room' })
  bookRoom(room: string, time: string) {
    return `${room} is yours at ${time}`;
  }

  @Tool({ description: 'List the meetings of a day' })
  listMeetings(day: string) {
    return `There are no meetings on ${day}`;
  }

  @Tool({ description: 'Cancel a meeting' })
  cancelMeeting(title: string) {
    return `${title} is cancelled`;
  }

  @Tool({ description: 'Find a time at which several people are free' })
  findFreeTime(@ToolParam({ type: [String] }) people: string[]) {
    return `${people.join(' and ')} are free at 3 pm`;
  }
}
