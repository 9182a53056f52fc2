import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import { UnsayableType } from './unsayable.js';

/** What JSON.stringify() makes of a value that has a method for it. */
export function jsonOf(checker: ts.TypeChecker, type: ts.Type): ts.Type | undefined {
  const toJson = checker.getPropertyOfType(type, 'toJSON');
  return toJson && checker.getTypeOfSymbol(toJson).getCallSignatures()[0]?.getReturnType();
}

/** @throws UnsayableType for a type that JSON writes as a text or number, such as Decimal of decimal.js */
export function refuseWritten(ts: TypeScript, checker: ts.TypeChecker, type: ts.Type): void {
  const json = jsonOf(checker, type);
  if (!json || !(json.flags & (ts.TypeFlags.String | ts.TypeFlags.Number))) return;
  const [name, written] = [type, json].map((one) => checker.typeToString(one));
  throw UnsayableType.outsideJson(
    `is a ${name}, which JSON writes as a ${written}`,
    `Declare a ${written}, and make the ${name} in the method.`,
  );
}
