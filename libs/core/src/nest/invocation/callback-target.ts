import 'reflect-metadata';
import type { ToolCallback } from '../../model/tool-callback.js';
import { enhancerMetadata, type Enhancers, metadataKeysOf, readEnhancers } from '../../tool/declaration/enhancers.js';
import { findToolMethod } from '../../tool/declaration/tool.decorator.js';
import { recordOf } from '../../tool/record-of.js';
import { classNameOf } from '@nestor-ai/schema';
import type { ProviderHost } from '../hosts/provider-host.js';
import { refuseLost } from '../hosts/runnable-enhancers.js';
import type { Method, ToolTarget } from './tool-enhancers.js';

/**
 * The class and method that guards see for a `ToolCallback`. For a callback of a method: that
 * method and its class, even if the callback is wrapped. Otherwise: the callback's class and its
 * `call()`, with the metadata of a function tool.
 *
 * @param enhancers the enhancers of the callback's class
 * @throws Error if metadata of the method is lost
 */
export function targetOfCallback(callback: ToolCallback, host: ProviderHost, enhancers: Enhancers): ToolTarget {
  const { method: place, handler } = recordOf(callback);
  const ownType = callback.constructor as unknown as ProviderHost['type'];
  const call = callback.call as Method;
  const inquirerId = host.wrapper.id;
  if (!place) {
    const declared = handler ? withMetadata(metadataOf(handler), call) : call;
    return { type: ownType, methodName: 'call', declared, inquirerId, enhancers };
  }
  const { target, methodName } = place;
  const decorated = findToolMethod(target, methodName)?.declared;
  refuseLost(`The tool ${classNameOf(target)}.${methodName}()`, readEnhancers(target, methodName, decorated));
  const type = (typeof target === 'function' ? target : target.constructor) as unknown as ProviderHost['type'];
  const added = [call, ownType].flatMap(metadataOf).filter(([key]) => !Reflect.hasMetadata(key, type));
  const method = (target as Record<string, Method>)[methodName]!;
  const declared = withMetadata([...enhancerMetadata(enhancers), ...added], method);
  return { type, methodName, declared, inquirerId, enhancers };
}

function metadataOf(place: object): [PropertyKey, unknown][] {
  return metadataKeysOf(place).map((key) => [key, Reflect.getMetadata(key, place)]);
}

/**
 * A method with additional metadata. The method's own metadata takes precedence, then the first
 * value of each key.
 */
function withMetadata(added: readonly [PropertyKey, unknown][], declared: Method): Method {
  if (added.length === 0) return declared;
  const joined: Method = () => undefined;
  Object.setPrototypeOf(joined, declared);
  for (const [key, value] of added) {
    if (!Reflect.hasMetadata(key, joined)) Reflect.defineMetadata(key, value, joined);
  }
  return joined;
}
