import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';

/** What users of a page without guards must know: a random text that ends with the process. */
@Injectable()
export class InspectorToken {
  readonly value: string = randomBytes(24).toString('base64url');

  /** Compares in constant time. */
  is(given: unknown): boolean {
    return typeof given === 'string' && timingSafeEqual(digestOf(given), digestOf(this.value));
  }
}

/** Of one length, which `timingSafeEqual` needs. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
