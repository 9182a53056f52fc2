/* The services of the application that is started: ten of them, a method each, as any application has them. */
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { catalogueOf, weatherAfter } from '../work.js';

export interface ToolService {
  run(input: { city: string }): Promise<object>;
}

export interface Service {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly type: new () => ToolService;
}

const SERVICES = 10;

export const services: readonly Service[] = catalogueOf<z.ZodType>(SERVICES, z).map((tool) => {
  const weather = weatherAfter(0);
  @Injectable()
  class CatalogueService implements ToolService {
    run(input: { city: string }): Promise<object> {
      return weather(input);
    }
  }
  return { ...tool, type: CatalogueService };
});
