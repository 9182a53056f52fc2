import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import { UnsayableType } from './unsayable.js';

/** The regular expression of a template literal type, such as `order-${number}`. */
export function templatePattern(ts: TypeScript, { texts, types }: ts.TemplateLiteralType): string {
  const parts = texts.map((text, index) => escape(text) + (types[index] ? placeholder(ts, types[index]) : ''));
  return `^${parts.join('')}$`;
}

function placeholder(ts: TypeScript, type: ts.Type): string {
  const { TypeFlags } = ts;
  if (type.isUnion()) return `(${type.types.map((one) => placeholder(ts, one)).join('|')})`;
  if (type.isStringLiteral() || type.isNumberLiteral()) return escape(String(type.value));
  if (type.flags & TypeFlags.Number) return '-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?';
  if (type.flags & TypeFlags.BigInt) return '-?\\d+';
  if (type.flags & TypeFlags.BooleanLiteral) return String((type as { intrinsicName?: string }).intrinsicName);
  if (type.flags & TypeFlags.TemplateLiteral) return templatePattern(ts, type as ts.TemplateLiteralType).slice(1, -1);
  if (type.flags & (TypeFlags.String | TypeFlags.Any)) return '[\\s\\S]*';
  throw new UnsayableType('has a template with a part that no regular expression describes', 'Declare a string.');
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
