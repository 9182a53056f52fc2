import type * as RateLimiterFlexible from 'rate-limiter-flexible';

// CommonJS, because only CommonJS can load a module late and synchronously.
export const rateLimiterFlexible = (): typeof RateLimiterFlexible =>
  require('rate-limiter-flexible') as typeof RateLimiterFlexible;
