import { describe, expect, it } from '@jest/globals';
import { Tool } from './declaration/tool.decorator.js';
import { MethodToolCallbackProvider } from './method-tool-callback-provider.js';

describe('providers of tools', () => {
  class Tools {
    @Tool() one() {
      return 1;
    }
  }

  it('provide the methods of objects', () => {
    const provider = MethodToolCallbackProvider.builder().toolObjects([new Tools()]).build();
    const callbacks = provider.getToolCallbacks();
    expect(callbacks.map(({ toolDefinition }) => toolDefinition.name)).toEqual(['one']);
    expect(provider.getToolCallbacks()[0]).toBe(callbacks[0]);
  });

  it('name missing tools and duplicate names', () => {
    const provide = (...toolObjects: object[]) => new MethodToolCallbackProvider({ toolObjects });
    expect(() => provide()).toThrow('toolObjects cannot be null or empty');
    expect(() => provide(class None {}).getToolCallbacks()).toThrow(
      /No @Tool\(\) methods found in None\. Did you mean/,
    );
    expect(() => provide(new Tools(), new Tools()).getToolCallbacks()).toThrow(
      /Multiple tools with the same name \(one\) found in sources/,
    );
  });
});
