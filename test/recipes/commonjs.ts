import { jest } from '@jest/globals';
import * as common from '@nestjs/common';
import * as core from '@nestjs/core';
import * as unknownDependencies from '@nestjs/core/errors/exceptions/unknown-dependencies.exception.js';
import * as injector from '@nestjs/core/injector/injector.js';

/*
 * Nest 12 is ESM only, and nestjs-cls and @nestjs/throttler are CommonJS that requires it. Node.js can do that, Jest cannot before
 * Node.js 24.9. This gives what they require: the modules that the application imports, nothing else. Load those packages with
 * `await import()` after it.
 */
jest.doMock('@nestjs/common', () => common);
jest.doMock('@nestjs/core', () => core);
jest.doMock('@nestjs/core/injector/injector', () => injector);
jest.doMock(
  '@nestjs/core/errors/exceptions/unknown-dependencies.exception',
  () => unknownDependencies,
);
