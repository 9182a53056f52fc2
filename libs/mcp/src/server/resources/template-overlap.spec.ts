import { describe, expect, it } from '@jest/globals';
import { overlap } from './template-overlap.js';
import { ResourceUriTemplate } from './uri-template.js';

describe('two templates', () => {
  it.each([
    ['a://{x}', 'a://{y}', true],
    ['a://{x}/b', 'a://c/{y}', true],
    ['a://{x}', 'a://{+y}', true],
    ['a://{+x}/meta', 'a://b/{y}', true],
    ['a://{x}-{y}', 'a://b{z}', true],
    ['a://{x}{?q}', 'a://{y}', true],
    ['a://{x}', 'b://{y}', false],
    ['a://{x}', 'a://{y}/b', false],
    ['a://{x}/b', 'a://{y}/c', false],
    ['a://b{x}', 'a://c{y}', false],
    ['a://x{?q}', 'a://x/{y}', false],
    ['a://{x}.png', 'a://{y}.jpg', false],
  ])('%s and %s', (one, other, expected) => {
    const templates = [new ResourceUriTemplate(one), new ResourceUriTemplate(other)] as const;
    expect(overlap(...templates)).toBe(expected);
    expect(overlap(templates[1], templates[0])).toBe(expected);
  });
});
