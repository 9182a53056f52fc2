import { ToolDeclarationException } from './tool-declaration.exception.js';

/** Neither decorators nor what TypeScript emits say what a value is. Types could say it. */
export class UnknownTypeException extends ToolDeclarationException {}
