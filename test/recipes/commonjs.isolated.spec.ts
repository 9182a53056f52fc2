import './commonjs.js';
import { expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';

it('packages that require Nest run in the runtime of Jest', async () => {
  const { ClsModule, ClsService } = await import('nestjs-cls');
  const { ThrottlerGuard, ThrottlerModule } = await import('@nestjs/throttler');
  @Module({
    imports: [ClsModule.forRoot(), ThrottlerModule.forRoot([])],
    providers: [ThrottlerGuard],
  })
  class AppModule {}
  const module = await Test.createTestingModule({ imports: [AppModule] }).compile();

  expect(module.get(ThrottlerGuard)).toBeInstanceOf(ThrottlerGuard);
  expect(module.get(ClsService).run(() => module.get(ClsService).isActive())).toBe(true);
  await module.close();
});
