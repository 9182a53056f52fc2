import { afterEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { FunctionToolCallback } from '../../tool/function-tool-callback.js';
import { ENDPOINT_GUARD, GlobalEnhancers } from '../invocation/global-enhancers.js';
import { AiProperties, PROPERTY_TREE } from '../properties/ai-properties.js';
import { readProperties } from '../properties/read-properties.js';
import { UnguardedTools } from './unguarded-tools.js';

afterEach(() => void jest.restoreAllMocks());

it('remembers a limited number of names, since an application may create a tool per user', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const config = new ApplicationConfig();
  config.useGlobalGuards({ canActivate: () => true });
  const { properties } = readProperties(PROPERTY_TREE, 'ai', undefined, undefined);
  const unguarded = new UnguardedTools(new GlobalEnhancers(config), properties as AiProperties);
  const check = (name: string): void => unguarded.check(new FunctionToolCallback({ name, toolFunction: () => name }));
  for (let user = 0; user < 1000; user++) check(`orders_of_${user}`);
  check('orders_of_0');
  expect(warn).toHaveBeenCalledTimes(1000);
  check('orders_of_1000');
  check('orders_of_0');
  expect(warn).toHaveBeenCalledTimes(1002);
});

it('does not warn if the only global guard protects an endpoint of a library', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const config = new ApplicationConfig();
  const guard = { canActivate: () => true, [ENDPOINT_GUARD]: true };
  config.addGlobalGuard(guard);
  const { properties } = readProperties(PROPERTY_TREE, 'ai', undefined, undefined);
  const unguarded = new UnguardedTools(new GlobalEnhancers(config), properties as AiProperties);
  unguarded.check(new FunctionToolCallback({ name: 'orders', toolFunction: () => 'none' }));
  expect(warn).not.toHaveBeenCalled();
});
