import { findPropertyParams } from '../declaration/tool-param.decorator.js';
import { ToolInputException, type ToolInputIssue } from '../input/tool-input.js';
import { isType, type Constructor, type Type } from '../type.js';
import {
  classTransformer,
  hasTypeDecorator,
  hasValidator,
  isDto,
  nestedType,
  validatedProperties,
} from './dto-metadata.js';

interface ShapedProperty {
  readonly name: string;
  /** Dates are made of their ISO text, objects of the class. */
  readonly type: Type;
  /** class-transformer has made the instances already. */
  readonly isMade: boolean;
}

/**
 * Makes instances of a class and of the classes nested in it. class-transformer does so where it finds `@Type()`;
 * what TypeScript or `@ToolParam` say of the other properties is completed here.
 */
export class DtoShape {
  readonly #properties: readonly ShapedProperty[];

  private constructor(
    private readonly type: Constructor<object>,
    private readonly shapes: Map<Type, DtoShape>,
  ) {
    shapes.set(type, this);
    this.#properties = readProperties(type);
    for (const { type: nested } of this.#properties) {
      if (nested !== Date && !shapes.has(nested))
        shapes.set(nested, new DtoShape(nested as Constructor<object>, shapes));
    }
  }

  static of(type: Type): DtoShape {
    return new DtoShape(type as Constructor<object>, new Map());
  }

  /** @param issues receives what is wrong with the dates */
  instantiate(value: unknown, issues: ToolInputIssue[]): object {
    const instance = classTransformer().plainToInstance(this.type, value, { exposeDefaultValues: true });
    this.#complete(instance as Record<string, unknown>, '', issues);
    return instance;
  }

  #complete(instance: Record<string, unknown>, path: string, issues: ToolInputIssue[]): void {
    for (const property of this.#properties) {
      const value = instance[property.name];
      const at = path + property.name;
      instance[property.name] = Array.isArray(value)
        ? value.map((item, index) => this.#completeValue(item, property, `${at}[${index}]`, issues))
        : this.#completeValue(value, property, at, issues);
      if (instance[property.name] === undefined) delete instance[property.name];
    }
  }

  #completeValue(value: unknown, { type, isMade }: ShapedProperty, path: string, issues: ToolInputIssue[]): unknown {
    if (type === Date) return typeof value === 'string' && !isMade ? readDate(value, path, issues) : value;
    if (typeof value !== 'object' || value === null) return value;
    const shape = this.shapes.get(type)!;
    const made = isMade ? value : classTransformer().plainToInstance(shape.type, value, { exposeDefaultValues: true });
    shape.#complete(made as Record<string, unknown>, `${path}.`, issues);
    return made;
  }
}

function readProperties(type: Type): ShapedProperty[] {
  const params = findPropertyParams(type);
  const names = new Set([...validatedProperties(type), ...params.keys()]);
  return [...names].flatMap((name): ShapedProperty[] => {
    const declared = params.get(name)?.type;
    const single: unknown = Array.isArray(declared) ? declared[0] : declared;
    const reflected: unknown = Reflect.getMetadata('design:type', type.prototype as object, name);
    const isMade = hasTypeDecorator(type, name);
    const isDate =
      (single ?? (isMade ? undefined : reflected)) === Date || (!isMade && hasValidator(type, name, 'isDate'));
    if (isDate) return [{ name, type: Date, isMade }];
    const nested = isType(single) ? single : nestedType(type, name);
    return nested && isDto(nested) ? [{ name, type: nested, isMade }] : [];
  });
}

function readDate(text: string, path: string, issues: ToolInputIssue[]): Date | string {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  issues.push({ path, message: `'${path}' must be a date and time in ISO-8601 format` });
  return text;
}

/** @throws ToolInputException when the text is no date */
export function toDate(text: string): Date {
  const issues: ToolInputIssue[] = [];
  const date = readDate(text, '', issues);
  if (typeof date === 'string') throw new ToolInputException(issues);
  return date;
}
