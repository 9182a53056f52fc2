import {
  booleanProperty,
  choiceProperty,
  durationProperty,
  type ResolvedProperties,
  textProperty,
} from '@nestor-ai/core';
import { DEFAULT_AUDIT_TIMEOUT } from './tool-audit.js';

/** The properties under `ai.audit`. */
export const AUDIT_PROPERTIES = {
  /** Where tool calls are recorded. */
  sink: choiceProperty('none' as const, ['none', 'console', 'file'] as const),
  /** The path of the file. Required with `ai.audit.sink=file`. */
  file: textProperty(),
  /** `true` runs a tool only after the start of the call has been recorded. */
  required: booleanProperty(false),
  /** `true` chains the records by hashes, so that a later change shows. */
  hashChain: booleanProperty(false),
  /** How long writing one record may take. After that it counts as failed. */
  timeout: durationProperty(DEFAULT_AUDIT_TIMEOUT),
} as const;

export type AuditProperties = ResolvedProperties<typeof AUDIT_PROPERTIES>;
