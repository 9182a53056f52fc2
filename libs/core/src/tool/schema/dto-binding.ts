import { messageOf } from '../../model/message-of.js';
import { ToolInputException, type ToolInputIssue } from '../input/tool-input.js';
import type { Constructor, Type } from '../type.js';
import { validateInstance } from './instance-validation.js';
import { classTransformer } from './peer-libraries.js';
import { plansOf } from './property-plan.js';
import type { Binding } from './revive.js';

/**
 * Makes instances of classes and of the classes nested in them, for one input. class-transformer does so where it finds `@Type()`; what
 * the plans of the other properties say is done here.
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
      this.#refuse(path, `cannot be turned into ${type.name}`, error);
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
        values[name] = revive(value, path ? `${path}.${jsonName}` : jsonName, this);
      }
    }
  }

  /**
   * Validates the instances with class-validator.
   *
   * @param shapeIssues what is wrong with the JSON that they were made of
   * @throws ToolInputException listing everything that is wrong
   */
  async validate(shapeIssues: readonly ToolInputIssue[]): Promise<void> {
    const issues = (await Promise.all(this.unvalidated.map((made) => this.#validateOne(made)))).flat();
    // Each of them knows of violations that the others do not; what class-validator says is meant to be read.
    const told = new Set(issues.map(({ path }) => path));
    // Of input that is known to be wrong, an instance may be too much to ask.
    const others = shapeIssues.length > 0 ? shapeIssues : this.issues;
    // What is said of each item is said of the whole by class-validator.
    const all = [...issues, ...others.filter(({ path }) => !told.has(path) && !told.has(path.replace(/\[\d+\]$/, '')))];
    if (all.length > 0) throw new ToolInputException(all);
  }

  async #validateOne({ path, instance }: { path: string; instance: object }): Promise<ToolInputIssue[]> {
    try {
      return await validateInstance(instance, path);
    } catch (error) {
      // A validator of somebody's own may not expect what the schema does not allow.
      this.#refuse(path, `cannot be validated as ${instance.constructor.name}`, error);
      return [];
    }
  }

  #refuse(path: string, what: string, error: unknown): void {
    this.issues.push({ path, message: `${path ? `'${path}'` : 'the arguments'} ${what} (${messageOf(error)})` });
  }
}
