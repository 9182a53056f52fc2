import 'reflect-metadata';
import { ToolDeclarationException } from '@nestor-ai/schema';

/** The metadata key of Nest's parameter decorators, such as `@Body()`. */
const ROUTE_ARGUMENTS = '__routeArguments__';

/** `@Body()`, `@Query()`, `@Param()` and `@Payload()`: what a client sends, so that a model may write it. */
const SENT_BY_CLIENTS: ReadonlySet<string> = new Set(['3', '4', '5']);

interface RouteArgument {
  readonly index: number;
  /** Only of a decorator of `createParamDecorator()`. */
  readonly factory?: unknown;
}

/**
 * Nest fills parameters with decorators for routes only. In a tool, the model would fill them: it
 * could choose the current user.
 *
 * @param target the prototype, or the class of a static method
 * @throws ToolDeclarationException if a parameter has a decorator that reads the request
 */
export function checkRouteParameters(target: object, methodName: string): void {
  const isStatic = typeof target === 'function';
  // Nest keeps those of all static methods of one name at the constructor of classes.
  const keeper = isStatic ? Function : ownerOf(target, methodName).constructor;
  const found = (Reflect.getOwnMetadata(ROUTE_ARGUMENTS, keeper, methodName) ?? {}) as Readonly<
    Record<string, RouteArgument>
  >;
  const { name } = isStatic ? target : target.constructor;
  for (const [key, { index, factory }] of Object.entries(found)) {
    if (!factory && SENT_BY_CLIENTS.has(key.split(':')[0]!)) continue;
    throw new ToolDeclarationException(
      `Parameter ${index + 1} of ${name}.${methodName}() has a decorator that reads the request, such as @Req() or one of ` +
        'createParamDecorator(). Nest runs it for routes only: in a tool, the model would write the value. Take a ToolContext ' +
        'instead, read context.request, and call chatClient.prompt(…).request(req).',
    );
  }
}

/** The prototype that has the method. An override has no decorators of what it overrides. */
function ownerOf(target: object, methodName: string): object {
  let owner = target;
  while (!Object.hasOwn(owner, methodName)) owner = Object.getPrototypeOf(owner) as object;
  return owner;
}
