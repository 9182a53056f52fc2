import { messageOf } from '../json/message-of.js';
import { pathInside, ToolInputException, type ToolInputIssue } from '../input/tool-input.js';
import type { Constructor, Type } from '../type.js';
import { validateInstance } from './instance-validation.js';
import { classTransformer } from '../lazy-modules.cjs';
import { plansOf } from './property-plan.js';
import type { Binding } from './revive.js';

/**
 * Creates the instances of classes and their nested classes for one input. class-transformer
 * handles properties with `@Type()`; the plans of the other properties are applied here.
 */
export class DtoBinding implements Binding {
  readonly issues: ToolInputIssue[] = [];
  readonly unvalidated: { readonly path: string; readonly instance: object }[] = [];

  instantiate(type: Type, value: unknown, path: string): object | undefined {
    try {
      const options = { exposeDefaultValues: true };
      const instance: object = classTransformer().plainToInstance(type as Constructor<object>, value, options);
      this.complete(type, instance, path);
      return instance;
    } catch (error) {
      const what = path ? `'${path}'` : 'the arguments';
      this.issues.push({ path, message: `${what} cannot be turned into ${type.name} (${messageOf(error)})` });
      return undefined;
    }
  }

  complete(type: Type, instance: object, path: string): void {
    const values = instance as Record<string, unknown>;
    for (const { name, jsonName, revive, apiDefault } of plansOf(type)) {
      const value = values[name];
      if (value === undefined) {
        if (apiDefault !== undefined) values[name] = structuredClone(apiDefault);
        else if (revive) delete values[name];
      } else if (value !== null && revive) {
        values[name] = revive(value, pathInside(path, jsonName), this);
      }
    }
  }

  /**
   * Validates the instances with class-validator.
   *
   * @param shapeIssues the violations found in their JSON
   * @throws ToolInputException that lists all violations; the error of a validator that fails with valid JSON
   */
  async validate(shapeIssues: readonly ToolInputIssue[]): Promise<void> {
    const isRefused = shapeIssues.length + this.issues.length > 0;
    const issues = (await Promise.all(this.unvalidated.map((made) => this.#validateOne(made, isRefused)))).flat();
    // Each source finds violations that the others miss. Messages of class-validator are
    // preferred, as users can change them.
    const told = new Set(issues.map(({ path }) => path));
    // If the JSON is invalid, failed instances are only a consequence.
    const others = shapeIssues.length > 0 ? shapeIssues : this.issues;
    // class-validator reports violations of items for the whole array.
    const all = [...issues, ...others.filter(({ path }) => !told.has(path) && !told.has(path.replace(/\[\d+\]$/, '')))];
    if (all.length > 0) throw new ToolInputException(all);
  }

  async #validateOne(
    { path, instance }: DtoBinding['unvalidated'][number],
    isRefused: boolean,
  ): Promise<ToolInputIssue[]> {
    try {
      return await validateInstance(instance, path);
    } catch (error) {
      // A custom validator may not expect values that violate the schema. Else its database may be away.
      if (isRefused) return [];
      throw error;
    }
  }
}
