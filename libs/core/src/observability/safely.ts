import { Logger } from '@nestjs/common';
import { errorTypeOf, framesOf } from '../model/error-type.js';

const logger = new Logger('Observability');
const logged = new WeakSet<object>();

/**
 * Runs code for telemetry. Its errors, from the SDK or a convention, are logged and do not affect
 * the request.
 *
 * @param culprit the object to blame in the log; default: the telemetry SDK
 */
export function safely<T>(run: () => T, culprit: object = SDK): T | undefined {
  try {
    return run();
  } catch (error) {
    logOnce(error, culprit);
    return undefined;
  }
}

/** Logs an error once per culprit, because errors of each span would flood the log. */
export function logOnce(error: unknown, culprit: object = SDK): void {
  if (logged.has(culprit)) return;
  logged.add(culprit);
  logger.error(
    `${nameOf(culprit)} has failed with ${errorTypeOf(error)}, so some information is not shown. This is logged only once.`,
    framesOf(error),
  );
}

const SDK = {};

function nameOf(culprit: object): string {
  if (culprit === SDK) return 'The telemetry SDK';
  const { constructor } = culprit as { constructor?: { name?: string } };
  return constructor?.name ?? 'The convention';
}
