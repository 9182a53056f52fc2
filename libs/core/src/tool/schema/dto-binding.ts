import type { ToolInputIssue } from '../input/tool-input.js';
import type { Constructor, Type } from '../type.js';
import { classTransformer } from './peer-libraries.js';
import { plansOf } from './property-plan.js';
import type { Binding } from './revive.js';

/**
 * Makes instances of a class and of the classes nested in it, for one input. class-transformer does so where it finds `@Type()`; what
 * the plans of the other properties say is done here.
 */
export class DtoBinding implements Binding {
  readonly issues: ToolInputIssue[] = [];
  readonly unvalidated: { readonly path: string; readonly instance: object }[] = [];

  instantiate(type: Type, value: unknown, path = ''): object {
    const options = { exposeDefaultValues: true };
    const instance: object = classTransformer().plainToInstance(type as Constructor<object>, value, options);
    this.complete(type, instance, path);
    return instance;
  }

  complete(type: Type, instance: object, path: string): void {
    const values = instance as Record<string, unknown>;
    for (const { name, jsonName, revive, apiDefault } of plansOf(type)) {
      const value = values[name];
      if (value === undefined) {
        if (apiDefault !== undefined) values[name] = structuredClone(apiDefault);
        else if (revive) delete values[name];
      } else if (value !== null && revive) {
        values[name] = revive(value, path ? `${path}.${jsonName}` : jsonName, this);
      }
    }
  }
}
