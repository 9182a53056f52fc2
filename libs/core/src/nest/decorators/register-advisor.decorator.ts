import { DEFAULT_CHAT_CLIENT } from './inject-chat-client.decorator.js';
import { separateOwnConstructor } from '../own-constructor.js';

const REGISTER_ADVISOR = Symbol.for('nestor.RegisterAdvisor');

/** The options of {@link RegisterAdvisor}. */
export interface RegisterAdvisorOptions {
  /** The named clients that have the advisor, and `default` for the injected `ChatClient`. Default: that one alone. */
  readonly clients?: readonly string[];
}

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
export function RegisterAdvisor({ clients = [DEFAULT_CHAT_CLIENT] }: RegisterAdvisorOptions = {}): ClassDecorator {
  return (target) => {
    Object.defineProperty(target, REGISTER_ADVISOR, { value: clients });
    separateOwnConstructor(target);
  };
}

/** The clients that a class with {@link RegisterAdvisor} joins; of any other, also of its subclasses, undefined. */
export function clientsOfAdvisor(type: unknown): readonly string[] | undefined {
  // A property, since all classes of an application are asked, and metadata is slow to look up.
  if (typeof type !== 'function' || !Object.hasOwn(type, REGISTER_ADVISOR)) return undefined;
  return (type as unknown as Record<symbol, readonly string[]>)[REGISTER_ADVISOR];
}
