/* The ten services of the application that is started, with one method each. */
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { catalogueOf, weatherAfter, type ZodLike } from '../work.js';

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

/** @param zod the one that is loaded anyway: a second copy would count */
export function servicesOf(zod: ZodLike<z.ZodType>): readonly Service[] {
  return catalogueOf<z.ZodType>(SERVICES, zod).map((tool) => {
    const weather = weatherAfter(0);
    @Injectable()
    class CatalogueService implements ToolService {
      run(input: { city: string }): Promise<object> {
        return weather(input);
      }
    }
    return { ...tool, type: CatalogueService };
  });
}
