import { expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';
import { IsString, ValidateBy } from 'class-validator';
import { askForResult, callOf, startApplication } from '../nest/application.js';

class Coupon {
  @IsString()
  @ValidateBy({
    name: 'exists',
    async: true,
    validator: { validate: () => Promise.reject(new Error('password authentication failed for user "shop"')) },
  })
  code!: string;
}

@Injectable()
class Coupons {
  @Tool({ inputType: Coupon }) redeem({ code }: Coupon) {
    return code;
  }
}

it('a validator whose database is away tells the model nothing of it, if errors are not shown', async () => {
  const options = { properties: { tools: { errorExposure: 'safe' as const } } };
  const scene = await startApplication({ providers: [Coupons] }, callOf('redeem', { code: 'A' }), options);
  expect(await askForResult(scene)).toMatch(/^The tool 'redeem' failed\. The cause is not shown/);
});
