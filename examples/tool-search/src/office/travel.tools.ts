import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';

@Injectable()
export class TravelTools {
  @Tool({ description: 'Find trains between two cities' })
  findTrains(from: string, to: string) {
    return `${from} 8:04, ${to} 11:31`;
  }

  @Tool({ description: 'Find hotels in a city' })
  findHotels(city: string) {
    return [`Grand Hotel ${city}`];
  }

  @Tool({ description: 'Reserve a taxi' })
  reserveTaxi(address: string) {
    return `A taxi is on its way to ${address}`;
  }

  @Tool({ description: 'Claim travel expenses' })
  claimExpenses(amount: number) {
    return `${amount} euros are claimed`;
  }
}
