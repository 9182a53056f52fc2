import { describe, expect, it } from '@jest/globals';
import { RefusedUriException, ResourceUriTemplate } from './uri-template.js';

const match = (template: string, uri: string) => new ResourceUriTemplate(template).match(uri);

describe('a template of resources', () => {
  it.each([
    ['users://{id}', 'users://7', { id: '7' }],
    ['users://{id}/profile', 'users://a-b.c/profile', { id: 'a-b.c' }],
    ['logs:{year}-{month}', 'logs:2026-07-28', { year: '2026', month: '07-28' }],
    ['docs://{a}/x/{b}/x', 'docs://1/x/2/x', { a: '1', b: '2' }],
    ['files://{+path}', 'files://a/b/c.txt', { path: 'a/b/c.txt' }],
    ['files://{drive}/{+path}/meta', 'files://c/a/meta/b/meta', { drive: 'c', path: 'a/meta/b' }],
    ['find://all{?q,page}', 'find://all', {}],
    ['find://all{?q,page}', 'find://all?page=2&q=a%20b%2Fc', { page: '2', q: 'a b/c' }],
    ['find://{area}{?q}', 'find://x?q=', { area: 'x', q: '' }],
    ['users://{id}', 'users://Zo%C3%AB', { id: 'Zoë' }],
    ['users://{id}', 'users://Zoë', { id: 'Zoë' }],
    ['users://{id}', 'users://100%25', { id: '100%' }],
    ['users://{id}', 'users://urn:user:7', { id: 'urn:user:7' }],
    ['files://{+path}', 'files://a//b/', { path: 'a//b/' }],
  ])('%s matches %s', (template, uri, values) => {
    expect(match(template, uri)).toEqual(values);
  });

  it.each([
    ['users://{id}', 'users://'],
    ['users://{id}', 'users://a/b'],
    ['users://{id}', 'users://a?b=c'],
    ['users://{id}', 'Users://a'],
    ['users://{id}/profile', 'users://a/profile/'],
    ['users://{id}/profile', 'users://profile'],
    ['files://{+path}/meta', 'files:///meta'],
    ['find://all{?q}', 'find://all?'],
    ['find://all{?q}', 'find://all?q'],
    ['find://all{?q}', 'find://all?q=1&q=2'],
    ['find://all{?q}', 'find://all?other=1'],
    ['find://all{?q}', 'find://all?__proto__=1'],
  ])('%s does not match %s', (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  it.each([
    ['files://{+path}', 'files://../a'],
    ['files://{+path}', 'files://a/./b'],
    ['files://{+path}', 'files://a/..%20/b'],
    ['files://{+path}', 'files:///etc/passwd'],
    ['files://{+path}', 'files://%2Fetc/passwd'],
    ['files://{+path}', 'files:////server/share'],
    ['files://{+path}', 'files://%5C%5Cserver%5Cshare'],
    ['files://{+path}', 'files://C:/Windows'],
    ['files://{+path}', 'files://c%3Aboot.ini'],
    ['files://{name}', 'files://C:.env'],
    ['find://all{?path}', 'find://all?path=/etc/passwd'],
    ['files://{+path}', 'files://a/%2E%2e'],
    ['files://{+path}', 'files://a%5c..%5cb'],
    ['files://{+path}', 'files://a%00'],
    ['files://{+path}', 'files://a\u0007'],
    ['files://{+path}', 'files://%252e%252e'],
    ['files://{+path}', 'files://%'],
    ['users://{id}', 'users://..'],
    ['users://{id}', 'users://a%2Fb'],
    ['users://{id}', 'users://a\\b'],
    ['find://all{?q}', 'find://all?q=%0A'],
  ])('%s refuses a value of %s', (template, uri) => {
    expect(() => match(template, uri)).toThrow(RefusedUriException);
  });

  it.each([
    ['users', 'it has to start with a scheme'],
    ['{scheme}://a', 'it has to start with a scheme'],
    ['users://all', 'it has no variable'],
    ['users://{id', 'a single brace'],
    ['users://id}', 'a single brace'],
    ['users://{}', 'only {name}, {+path} and a final {?a,b} are supported'],
    ['users://{id*}', 'only {name}'],
    ['users://{#id}', 'only {name}'],
    ['users://{a,b}', 'only {name}'],
    ['users://{id:3}', 'only {name}'],
    ['users://{a}{b}', 'nothing separates {a} from the next variable'],
    ['users://{id}/{id}', 'two variables of one name'],
    ['users://{id}{?id}', 'two variables of one name'],
    ['users://{?q}/{id}', 'its query expression has to be at the end'],
    ['users://{?q}/more', 'its query expression has to be at the end'],
    ['files://{+path}/{name}', 'no variable may follow {+path}'],
    ['find://a?q={q}', 'Write queries as {?name}'],
    ['find://a b/{q}', 'a blank'],
    [`users://${'a'.repeat(3000)}/{id}`, 'longer than 2048 characters'],
  ])('%s is refused', (template, problem) => {
    expect(() => new ResourceUriTemplate(template)).toThrow(problem);
  });
});
