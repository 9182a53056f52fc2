import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DevelopmentFiles } from '../development-files.js';

/** What users of a page without guards must know: a random text. */
@Injectable()
export class InspectorToken {
  readonly value: string;

  constructor(files: DevelopmentFiles) {
    this.value = files.token();
  }

  /** Compares in constant time. */
  is(given: unknown): boolean {
    return typeof given === 'string' && timingSafeEqual(digestOf(given), digestOf(this.value));
  }
}

/** Of one length, which `timingSafeEqual` needs. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
