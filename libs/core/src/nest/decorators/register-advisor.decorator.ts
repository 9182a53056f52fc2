import 'reflect-metadata';
import { separateOwnConstructor } from '../own-constructor.js';

const REGISTER_ADVISOR = Symbol.for('nestor.RegisterAdvisor');

/**
 * Puts a provider among the default advisors of the injected `ChatClient` and `ChatClientBuilder`. If it
 * is a `ToolAdvisor`, it replaces the default one.
 *
 * @example
 * \@RegisterAdvisor()
 * \@Injectable()
 * export class AuditAdvisor extends BaseAdvisor {
 *   readonly name = 'audit';
 * }
 */
export function RegisterAdvisor(): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(REGISTER_ADVISOR, true, target);
    separateOwnConstructor(target);
  };
}

/** Whether a class carries {@link RegisterAdvisor} itself; its subclasses decide for themselves. */
export function isRegisteredAdvisor(type: unknown): boolean {
  return typeof type === 'function' && Reflect.hasOwnMetadata(REGISTER_ADVISOR, type);
}
