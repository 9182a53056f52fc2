import { describe, expect, it } from '@jest/globals';
import { applyDecorators, type Provider, SetMetadata, UseGuards, UseInterceptors } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import {
  AugmentedToolCallback,
  FunctionToolCallback,
  getToolToken,
  StaticToolCallbackProvider,
  Tool,
  type ToolCallback,
  ToolParam,
  toolProvider,
} from '@nestor-ai/core';
import { bootstrapError, callOf, startApplication } from '../nest/application.js';
import { answersOf, askAs, HELD, Roles, rolesGuard } from './roles.js';

class Why {
  @ToolParam({ required: false }) why?: string;
}
class Wiping extends FunctionToolCallback {
  @SetMetadata('other', true)
  override call(input: string) {
    return super.call(input);
  }
}

const useFactory = () => () => 'wiped';
const decorators = [Roles(['admin'])];
const options = { name: 'wipe', toolFunction: () => 'wiped', decorators };
const wipe = toolProvider('wipe', { decorators, useFactory });
const given = (tool: ToolCallback): Provider => ({ provide: 'given', useValue: new StaticToolCallbackProvider(tool) });
const augmented = (delegate: ToolCallback) => new AugmentedToolCallback({ delegate, argumentType: Why });

describe('a guard of the application that reads roles holds for a function', () => {
  it.each<[string, Provider]>([
    ['of toolProvider()', wipe],
    ['that is made for each turn', toolProvider('wipe', { decorators, inject: [REQUEST], useFactory })],
    ['with other decorators', toolProvider('wipe', { decorators: [applyDecorators(...decorators)], useFactory })],
    ['that is a provider itself', { provide: 'wipe', useValue: new FunctionToolCallback(options) }],
    ['that a provider gives', given(new FunctionToolCallback(options))],
    ['that a provider gives, augmented', given(augmented(new FunctionToolCallback(options)))],
    ['of a class that overrides call()', given(new Wiping(options))],
  ])('%s', async (_what, provider) => {
    expect(await answersOf([provider])).toEqual(HELD);
  });

  it.each<[string, (callback: ToolCallback) => object]>([
    ['as it is', (callback) => callback],
    ['augmented', augmented],
  ])('of toolProvider(), given to a request %s', async (_how, toolOf) => {
    expect(await answersOf([wipe], ({ app }) => [toolOf(app.get(getToolToken('wipe')))])).toEqual(HELD);
  });

  it('with its own roles alone: those of another function are not its own', async () => {
    const look = toolProvider('look', { decorators: [Roles(['guest'])], useFactory: () => () => 'seen' });
    const scene = await startApplication({ providers: [wipe, look, rolesGuard] }, [
      ...callOf('look'),
      ...callOf('wipe'),
    ]);
    expect(await askAs('guest', scene)).toBe('seen');
    expect(await askAs('guest', scene)).toBe('Forbidden resource');
  });
});

describe('decorators that would protect nothing stop the bootstrap', () => {
  const replace: MethodDecorator = (_target, _key, descriptor: PropertyDescriptor) => {
    SetMetadata('replaced', true)(_target, _key, descriptor);
    descriptor.value = () => 'wiped';
  };
  const elsewhere: MethodDecorator = (target, key) => {
    Reflect.defineMetadata('roles', ['admin'], target, key);
  };

  it.each<[string, readonly unknown[], RegExp]>([
    [
      'guards',
      [UseGuards({ canActivate: () => false })],
      /The tool 'wipe' has guards among its decorators, which do not run/,
    ],
    [
      'guards and interceptors inside of another decorator',
      [
        applyDecorators(
          UseGuards({ canActivate: () => false }),
          UseInterceptors({ intercept: () => undefined as never }),
        ),
      ],
      /has guards and interceptors among its decorators/,
    ],
    ['one that replaces the function', [Roles(['admin']), replace], /Decorator number 2 of the tool 'wipe' replaces/],
    ['one that writes elsewhere', [elsewhere], /Decorator number 1 of the tool 'wipe' adds no metadata/],
    ['@Tool()', [Tool()], /adds no metadata to the function/],
    ['one that is not called', [Roles], /adds no metadata to the function.*call it: \[Roles\(\['admin'\]\)\]/],
    ['something else', ['admin'], /Decorator number 1 of the tool 'wipe' is not a decorator, but admin\./],
  ])('%s', async (_what, wrong, message) => {
    const provider = toolProvider('wipe', { decorators: wrong as MethodDecorator[], useFactory });
    expect((await bootstrapError({ providers: [provider] })).message).toMatch(message);
    const scoped = toolProvider('wipe', { decorators: wrong as MethodDecorator[], inject: [REQUEST], useFactory });
    expect((await bootstrapError({ providers: [scoped] })).message).toMatch(message);
    expect(() => new FunctionToolCallback({ ...options, decorators: wrong as MethodDecorator[] })).toThrow(message);
  });
});
