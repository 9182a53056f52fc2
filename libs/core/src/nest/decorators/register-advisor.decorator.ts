import { DEFAULT_CHAT_CLIENT } from './inject-chat-client.decorator.js';
import { separateOwnConstructor } from '../own-constructor.js';

const REGISTER_ADVISOR = Symbol.for('nestor.RegisterAdvisor');

/** The options of {@link RegisterAdvisor}. */
export interface RegisterAdvisorOptions {
  /**
   * The names of the clients that get the advisor. `default` is the injected `ChatClient`. Default:
   * only `default`.
   */
  readonly clients?: readonly string[];
}

/**
 * Adds a provider to the default advisors of the injected `ChatClient` and `ChatClientBuilder`. A
 * `ToolAdvisor` replaces the default one.
 *
 * @example
 * \@RegisterAdvisor()
 * \@Injectable()
 * export class AuditAdvisor extends BaseAdvisor {
 *   readonly name = 'audit';
 * }
 */
export function RegisterAdvisor({ clients = [DEFAULT_CHAT_CLIENT] }: RegisterAdvisorOptions = {}): ClassDecorator {
  return (target) => {
    Object.defineProperty(target, REGISTER_ADVISOR, { value: clients });
    separateOwnConstructor(target);
  };
}

/**
 * The clients of a class with {@link RegisterAdvisor}. Undefined for other classes, including
 * subclasses.
 */
export function clientsOfAdvisor(type: unknown): readonly string[] | undefined {
  // A property, since metadata is slow to look up and Nestor checks all classes of the application.
  if (typeof type !== 'function' || !Object.hasOwn(type, REGISTER_ADVISOR)) return undefined;
  return (type as unknown as Record<symbol, readonly string[]>)[REGISTER_ADVISOR];
}
