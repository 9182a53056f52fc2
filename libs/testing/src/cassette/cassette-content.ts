import type { MessageJson } from '@nestor-ai/core';

/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonRecord;

/** An object that JSON can carry. */
export interface JsonRecord {
  readonly [key: string]: Json | undefined;
}

/** A request as a cassette keeps it: what the model reads, and the options that change its answer. */
export interface CassetteRequest {
  readonly method: 'call' | 'stream';
  readonly messages: readonly JsonRecord[];
  readonly options?: JsonRecord;
  /** The definitions of the tools that the model is offered. */
  readonly tools?: readonly JsonRecord[];
}

/** A response or a chunk of it. */
export interface CassetteAnswer {
  readonly message?: JsonRecord;
  readonly toolInput?: JsonRecord;
  /** The metadata of the generation, such as the finish reason. */
  readonly generation?: JsonRecord;
  /** The metadata of the response, without HTTP headers. */
  readonly response?: JsonRecord;
  /** The generations after the first. */
  readonly others?: readonly CassetteAnswer[];
}

/** The fields of an error. `isRetryable` is set for a `ChatModelException`. */
export interface CassetteError {
  readonly name: string;
  readonly message: string;
  readonly httpStatus?: number;
  readonly code?: string;
  readonly isRetryable?: boolean;
  readonly responseBody?: string;
}

/** A request and what came back: a response, or chunks of a stream, or an error, also after chunks. */
export interface CassetteInteraction {
  readonly request: CassetteRequest;
  readonly response?: CassetteAnswer;
  readonly chunks?: readonly CassetteAnswer[];
  readonly error?: CassetteError;
}

/** What a cassette knows of the model, so that replaying does not need it. */
export interface CassetteModel {
  readonly provider?: string;
  readonly modelName?: string;
  readonly supportsStructuredOutput: boolean;
  readonly defaultOptions?: JsonRecord;
  /** The output schemas, by hash, for which the model does not do what `supportsStructuredOutput` says. */
  readonly outputSchemas?: Readonly<Record<string, boolean>>;
}

/** A tool call of a recorded turn. */
export interface CassetteCall {
  readonly id: string;
  readonly name: string;
  /** As it ran. */
  readonly arguments: string;
  /** What the model read. */
  readonly result: string;
  readonly isError?: true;
  readonly untrusted?: true;
  /** The human decision, if the call needed one. */
  readonly decision?: { readonly approved: boolean; readonly isChanged?: true };
}

/** A turn of an application, to run it again. */
export interface CassetteTurn {
  /** The client that ran it. */
  readonly client: string;
  readonly isStreamed: boolean;
  /** The instructions of the request. Undefined: those of the client. */
  readonly system?: string;
  /** The messages that it began with, without instructions. */
  readonly messages: readonly MessageJson[];
  /** The names of the tools that the model could call. */
  readonly tools: readonly string[];
  readonly toolContext?: JsonRecord;
  readonly calls: readonly CassetteCall[];
  readonly answer: string;
  readonly error?: string;
  /** The calls that wait at the end. */
  readonly pending?: readonly string[];
}

export interface CassetteContent {
  readonly model: CassetteModel;
  readonly interactions: readonly CassetteInteraction[];
  /** The turn that made the requests. Undefined for what `recordModel()` has recorded. */
  readonly turn?: CassetteTurn;
}

/** A cassette cannot be read or written, or a request is not the recorded one. */
export class CassetteException extends Error {
  override readonly name = 'CassetteException';
}

/** How to record, for the end of an error message. */
export const HOW_TO_RECORD =
  'set the environment variable NESTOR_CASSETTES=record, run the test with access to the model, and review the file';
