import { describe, expect, it, jest } from '@jest/globals';
import { IsArray, IsString } from 'class-validator';
import { CLASS_TYPES, type ClassTypesFactory, type MethodTypes } from './class-types.js';
import { typedMethodOf, typedPropertyOf } from './typed-members.js';

const method = (description: string): MethodTypes => ({ description, parameters: [] });
const types = (methods: Record<string, MethodTypes>, more: object = {}): ReturnType<ClassTypesFactory> => ({
  version: 1,
  sources: {},
  methods,
  ...more,
});
const described = (target: object, name: string) => typedMethodOf(target, name)?.types.description;

describe('the types of a method', () => {
  class Base {
    static [CLASS_TYPES]() {
      return types({ kept: method('base'), changed: method('base') }, { statics: { create: method('static') } });
    }
    static create() {}
    kept() {}
    changed() {}
  }
  class Silent extends Base {
    override changed() {}
  }
  class Typed extends Silent {
    static override [CLASS_TYPES]() {
      return types({ changed: method('own') });
    }
    static override create() {}
    override changed() {}
  }

  it('come from the nearest class that declares it', () => {
    expect(described(Base.prototype, 'changed')).toBe('base');
    expect(described(Silent.prototype, 'kept')).toBe('base');
    expect(described(Silent.prototype, 'changed')).toBeUndefined();
    expect(described(Typed.prototype, 'changed')).toBe('own');
    expect(described(Typed.prototype, 'kept')).toBe('base');
    expect(described(Silent, 'create')).toBe('static');
    expect(described(Typed, 'create')).toBeUndefined();
    expect(described(Base.prototype, 'create')).toBeUndefined();
    expect(described(Base, 'kept')).toBeUndefined();
  });

  it('survive a class decorator that extends the class', () => {
    const Replaced = class extends Base {};
    expect(described(Replaced.prototype, 'kept')).toBe('base');
    Object.defineProperty(Replaced, CLASS_TYPES, { value: () => types({ kept: method('attached') }) });
    expect(described(Replaced.prototype, 'kept')).toBe('attached');
  });

  it('are undefined for names of Object.prototype, and for objects without classes', () => {
    for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
      expect(typedMethodOf(Base.prototype, name)).toBeUndefined();
    }
    expect(typedMethodOf(Object.create(null) as object, 'run')).toBeUndefined();
    expect(typedMethodOf({ constructor: 5 }, 'run')).toBeUndefined();
  });

  it('are asked for once', () => {
    const factory = jest.fn(() => types({ run: method('once') }));
    class Once {
      run() {}
    }
    expect(typedMethodOf(Once.prototype, 'run')).toBeUndefined();
    Object.defineProperty(Once, CLASS_TYPES, { value: factory });
    for (let n = 0; n < 3; n++) expect(described(Once.prototype, 'run')).toBe('once');
    expect(factory).toHaveBeenCalledTimes(1);
  });

  it.each([[{ version: 2, sources: {} }], [{}], [undefined], [null], ['text']])(
    'of another version are refused: %j',
    (written) => {
      class Old {
        run() {}
      }
      Object.defineProperty(Old, CLASS_TYPES, { value: () => written });
      expect(() => typedMethodOf(Old.prototype, 'run')).toThrow(
        /types of Old were written by another version of @nestor-ai\/core.*Build again.*nestor-schemas/,
      );
    },
  );

  it('name their class if they cannot be read', () => {
    class Failing {
      static [CLASS_TYPES](): never {
        throw new Error('oops');
      }
      run() {}
    }
    expect(() => typedMethodOf(Failing.prototype, 'run')).toThrow(
      /types of Failing cannot be read: oops\. Build again/,
    );
  });

  it('are ignored if the symbol is not a function', () => {
    class Odd {
      run() {}
    }
    Object.defineProperty(Odd, CLASS_TYPES, { value: 'text' });
    expect(typedMethodOf(Odd.prototype, 'run')).toBeUndefined();
  });
});

describe('the types of a property', () => {
  it('come from the nearest class that has some', () => {
    class Base {
      static [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
        return { version: 1, sources: {}, properties: { a: { description: 'base' }, b: { description: 'base' } } };
      }
      @IsString() a!: string;
      @IsArray() b!: string[];
    }
    class Derived extends Base {
      static override [CLASS_TYPES](): ReturnType<ClassTypesFactory> {
        return { version: 1, sources: {}, properties: { a: { description: 'derived' } } };
      }
    }
    expect(typedPropertyOf(Derived, 'a')?.types.description).toBe('derived');
    expect(typedPropertyOf(Derived, 'b')?.types.description).toBe('base');
    expect(typedPropertyOf(Derived, 'toString')).toBeUndefined();
  });
});
