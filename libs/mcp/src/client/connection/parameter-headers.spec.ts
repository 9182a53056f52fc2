import { describe, expect, it } from '@jest/globals';
import { hasValidHeaders } from './parameter-headers.js';

const region = { type: 'string', 'x-mcp-header': 'Region' };

describe('hasValidHeaders', () => {
  it.each([
    [{}],
    [{ properties: { region } }],
    [{ properties: { place: { type: 'object', properties: { region } } } }],
    [{ properties: { 'x-mcp-header': { type: 'string' } } }],
  ])('accepts %j', (schema) => {
    expect(hasValidHeaders(schema)).toBe(true);
  });

  it.each([
    [region],
    [{ properties: { region: { ...region, type: 'number' } } }],
    [{ properties: { region: { ...region, 'x-mcp-header': 'a\r\nb: c' } } }],
    [{ properties: { region: { ...region, 'x-mcp-header': 1 } } }],
    [{ properties: { region, other: { ...region, 'x-mcp-header': 'REGION' } } }],
    [{ properties: { list: { type: 'array', items: region } } }],
    [{ properties: { list: { type: 'array', items: { properties: { region } } } } }],
    [{ $defs: { place: { properties: { region } } } }],
  ])('refuses %j', (schema) => {
    expect(hasValidHeaders(schema)).toBe(false);
  });
});
