import { describe, expect, it } from '@jest/globals';
import type { GeneratedClass } from './generated-class.js';
import { generate } from './read-source.fixture.js';

const CRUD = `import { Tool } from '@nestor-ai/core';
  export abstract class Crud<T extends { id: string }> {
    /**
     * Creates one.
     * @param item What to create
     */
    @Tool() create(item: T, limit = 5): Promise<T> { return Promise.resolve(item); }
    @Tool() count(): number { return 1; }
    @Tool() static reset(all: boolean) {}
  }`;
const IMPORT = `import { Tool } from '@nestor-ai/core';\nimport { Crud } from './crud.js';\n`;

function read(text: string, crud = CRUD): (name: string) => GeneratedClass | undefined {
  const classes = generate({ 'crud.ts': crud, 'users.ts': `${IMPORT}${text}` });
  return (name) => classes.find((one) => one.name === name);
}

const itemOf = (one: GeneratedClass | undefined, method = 'create') => one?.types.methods?.[method]?.parameters[0];
const propertiesOf = (one: GeneratedClass | undefined) => Object.keys(Object(itemOf(one)?.schema?.['properties']));

describe('InheritedTools', () => {
  it('are read with the type arguments of the class that inherits them', () => {
    const users = read('export class Users extends Crud<{ id: string; mail: string }> {}')('Users');
    expect(users?.types.methods).toEqual({
      create: {
        description: 'Creates one.',
        parameters: [
          {
            name: 'item',
            required: true,
            description: 'What to create',
            schema: {
              type: 'object',
              properties: { id: { type: 'string' }, mail: { type: 'string' } },
              required: ['id', 'mail'],
              additionalProperties: false,
              description: 'What to create',
            },
          },
          { name: 'limit', required: false, schema: { type: 'number', default: 5 } },
        ],
        output: expect.objectContaining({ properties: { id: { type: 'string' }, mail: { type: 'string' } } }),
      },
    });
    expect(Object.keys(users!.types.sources)).toEqual(['crud.ts', 'users.ts']);
  });

  it('are read through several classes, once', () => {
    const of = read(`
      export abstract class Named<N extends { id: string }> extends Crud<N & { name: string }> {}
      export class Users extends Named<{ id: string; mail: string }> {}
      export class Admins extends Users {}
      export class Tagged<T extends { id: string }> extends Crud<T & { tag: string }> {}
      export class Guests extends Tagged<{ id: string; at: string }> {}
      export class Others extends Named<{ id: string }> { override create(item: { id: string; name: string }) { return Promise.resolve(item); } }`);
    expect(propertiesOf(of('Users')).sort()).toEqual(['id', 'mail', 'name']);
    expect(['Tagged', 'Guests'].map((name) => propertiesOf(of(name)))).toEqual([
      ['id', 'tag'],
      ['id', 'at', 'tag'],
    ]);
    expect(['Named', 'Admins'].map(of)).toEqual([undefined, undefined]);
    expect(propertiesOf(of('Others'))).toEqual(['id', 'name']);
  });

  it('are read in classes that functions make, and in classes without a name', () => {
    const classes = generate({
      'crud.ts': CRUD,
      'users.ts': `${IMPORT}
        function of<T>() { abstract class Of { @Tool() find(key: T) {} } return Of; }
        export class Users extends of<'a' | 'b'>() {}
        export default class extends Crud<{ id: string; mail: string }> {}`,
    });
    expect(classes.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
    const [, , users, unnamed] = classes;
    expect(itemOf(users, 'find')?.schema).toEqual({ type: 'string', enum: ['a', 'b'] });
    expect(propertiesOf(unnamed)).toEqual(['id', 'mail']);
  });

  it('may be overridden without @Tool(), with types of their own', () => {
    const of = read(`
      import { ToolParam } from '@nestor-ai/core';
      export class Finder {
        /**
         * Finds.
         * @param where A place
         */
        @Tool() find(where: string, deep: boolean, @ToolParam({ type: Number }) by: () => void) {}
        @Tool({ inputSchema: {} }) all(input: unknown) {}
        @Tool() static count(all: boolean) {}
        other(deep: boolean) {}
      }
      export abstract class Deep<T> extends Finder {
        override find(city: 'Rome' | 'Oslo', deep?: boolean, by?: () => void, more?: T) {}
        override all(input: () => void) {}
        static override count(all?: boolean) {}
        override other(deep?: boolean) {}
      }
      export class Deeper extends Deep<'x' | 'y'> {
        /** Finds deeply. */
        override find(city: 'Rome', deep?: boolean) {}
      }
      export class Typed extends Deep<'x' | 'y'> {}`);
    expect(of('Deep')?.diagnostics).toEqual([]);
    expect(of('Deep')?.types).toMatchObject({
      methods: {
        find: {
          description: 'Finds.',
          parameters: [
            { name: 'city', required: true, description: 'A place', schema: { enum: ['Rome', 'Oslo'] } },
            { name: 'deep', required: false, schema: { type: 'boolean' } },
            { name: 'by', required: false },
            { name: 'more', required: false, error: expect.stringContaining("has the type 'T'") },
          ],
        },
        all: { parameters: [{ name: 'input', required: true }] },
      },
      statics: { count: { parameters: [{ name: 'all', required: false }] } },
    });
    expect(Object.keys(of('Deep')!.types.methods!)).toEqual(['find', 'all']);
    expect(of('Deeper')?.types.methods).toEqual({
      find: {
        description: 'Finds deeply.',
        parameters: [
          expect.objectContaining({ name: 'city', schema: { type: 'string', const: 'Rome', description: 'A place' } }),
          { name: 'deep', required: false, schema: { type: 'boolean' } },
        ],
      },
    });
    expect(of('Typed')?.types.methods?.['find']?.parameters[3]?.schema).toEqual({ type: 'string', enum: ['x', 'y'] });
  });

  it('take classes with decorators', () => {
    const users = read(`import { IsString } from 'class-validator';
      export class User { @IsString() id!: string }
      export class Users extends Crud<User> {}`)('Users');
    expect(itemOf(users)).toMatchObject({ schema: { $ref: 'class:0' }, revive: { class: 0 } });
    expect(users?.classes.map(({ exportName }) => exportName)).toEqual(['User']);
  });

  const OPEN = `import { Tool } from '@nestor-ai/core';
    export abstract class Crud<T> { @Tool() create(item: T, other: T[]) {} @Tool() own<U>(item: U) {} }`;

  it('may have types that only subclasses know, in an abstract class', () => {
    const of = read('export class Users extends Crud<string> {}', OPEN);
    expect(of('Crud')?.diagnostics.map(({ messageText }) => messageText)).toEqual([
      expect.stringContaining("Parameter 'item' of Crud.own() has the type 'U'"),
    ]);
    expect(itemOf(of('Crud'))?.error).toContain("crud.ts:2: Parameter 'item' of Crud.create() has the type 'T'");
    expect(itemOf(of('Users'))?.schema).toEqual({ type: 'string' });
  });

  it('must say their types in a class with instances', () => {
    const [crud] = generate({ 'crud.ts': OPEN.replace('abstract class', 'class') });
    expect(crud!.diagnostics[0]!.messageText).toContain(
      'or make the class abstract and write it where a class extends it.',
    );
  });

  it('that no schema describes are reported where the class names its superclass', () => {
    const { diagnostics } = read('export class Users extends Crud<{ id: string; run(): void }> {}')('Users')!;
    const [{ messageText, file, start, length }] = diagnostics as [(typeof diagnostics)[number]];
    expect(messageText).toContain("Parameter 'item' of Users.create() has a property 'run' that is a function");
    expect(file.text.slice(start, start + length)).toContain('run(): void');
  });
});
