import { BadRequestException } from '@nestjs/common';
import type { HttpRequest } from './http-exchange.js';

const LONGEST_ID = 200;

/** @throws BadRequestException if the id is too long */
export function checkId(what: string, id: string): void {
  if (id.length > LONGEST_ID)
    throw new BadRequestException(`The id of a ${what} has at most ${LONGEST_ID} characters.`);
}

/**
 * The number of the last event that the client has. 0: none.
 *
 * @throws BadRequestException if the header `Last-Event-ID` is no such number
 */
export function lastEventOf({ headers }: HttpRequest): number {
  const given = headers['last-event-id'] ?? '';
  if (given === '') return 0;
  const number = Number(given);
  if (typeof given === 'string' && /^\d+$/.test(given) && number <= 2 ** 31) return number;
  throw new BadRequestException('Last-Event-ID must be the number of an event, such as 12.');
}
