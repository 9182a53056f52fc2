import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import ts from 'typescript';
import { generate } from './read-source.fixture.js';

const FILES: Readonly<Record<string, string>> = {
  'node_modules/typeorm/package.json': '{ "name": "typeorm", "dependencies": { "tslib": "2" } }',
  'node_modules/typeorm/index.d.ts': `export declare function Column(options?: object): PropertyDecorator;
    export declare class BaseEntity { save(): Promise<this>; protected hidden: string }`,
  'node_modules/dtos/package.json': '{ "name": "dtos", "peerDependencies": { "class-validator": "*" } }',
  'node_modules/dtos/index.d.ts': 'export declare class PageDto { page: number }',
  'own.ts': `import * as cv from 'class-validator';
    import { IsString } from 'class-validator';
    import { Column } from 'typeorm';
    export const IsName = () => all(IsString(), Column());
    export const Renamed = cv.IsString;
    export function Text() { return all(Column()); }
    declare function all(...of: PropertyDecorator[]): PropertyDecorator;
    export declare function PartialType<T>(type: new () => T): new () => Partial<T>;
    export declare function Schema(): new () => { name: string };`,
};

const IMPORTS = `import { Tool, ToolParam } from '@nestor-ai/core';
  import * as cv from 'class-validator'; import { IsString } from 'class-validator'; import { BaseEntity, Column } from 'typeorm'; import { PageDto } from 'dtos';
  import { IsName, PartialType, Renamed, Schema, Text } from './own.js';`;

/** The schema of a parameter of a class `User`. */
function schemaOf(declarations: string) {
  const classes = generate({
    ...FILES,
    'finder.ts': `${IMPORTS}\n${declarations}\nexport class Finder { @Tool() find(user: User) {} }`,
  });
  return classes.find(({ name }) => name === 'Finder')!.types.methods!['find']!.parameters[0]!.schema;
}

describe('DecoratedClasses', () => {
  beforeEach(() => {
    const read = ts.sys.readFile;
    jest.spyOn(ts.sys, 'readFile').mockImplementation((name) => FILES[name.replace('/app/', '')] ?? read(name));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    'export class User { @Column() name!: string }',
    'export class User { @Column() name!: string; @Text() other?: string }',
    'export class User extends BaseEntity { @Column() name!: string }',
    'class Base { @Column() name!: string }\nexport class User extends Base {}',
    'class Base { @Column() name!: string }\nexport class User extends PartialType(Base) {}',
  ])('takes a class whose decorators say nothing about JSON as one without: %s', (declarations) => {
    expect(schemaOf(declarations)).toMatchObject({ type: 'object', properties: { name: { type: 'string' } } });
  });

  it.each([
    'export class User { @IsString() name!: string }',
    'export class User { @cv.IsString() name!: string }',
    'export class User { @Column() @ToolParam() name!: string }',
    'export class User { @IsName() name!: string }',
    'export class User { @Renamed() name!: string }',
    'class Base { @IsName() name!: string }\nexport class User extends Base { @Column() more!: string }',
    'class Base { @IsName() name!: string }\nexport class User extends PartialType(Base) {}',
    'export class User extends PageDto { @Column() more!: string }',
    'export class User extends Schema() {}',
  ])('leaves a class to decorators that describe it, or may do so: %s', (declarations) => {
    expect(schemaOf(declarations)).toEqual({ $ref: 'class:0' });
  });
});
