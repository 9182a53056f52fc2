import { describe, expect, it } from '@jest/globals';
import { Controller, Injectable, type Provider, Scope, SetMetadata, UseGuards } from '@nestjs/common';
import { Tool, ToolCallbacks } from '@nestor-ai/core';
import { bootstrapError, callOf, startApplication } from '../nest/application.js';
import { answersOf, askAs, HELD, Roles, rolesGuard } from './roles.js';

/** A decorator that replaces the method and keeps nothing of it, as those that trace or cache often do. */
const Wrap = (): MethodDecorator => (_target, _key, descriptor: PropertyDescriptor) => {
  const original = descriptor.value as (...args: unknown[]) => unknown;
  descriptor.value = function (this: unknown, ...args: unknown[]) {
    return original.apply(this, args);
  };
};

class Wrapped {
  @Wrap()
  @Tool()
  @SetMetadata('roles', ['admin'])
  wipe() {
    return 'wiped';
  }
}
class WrappedStatic {
  @Wrap()
  @Tool()
  @SetMetadata('roles', ['admin'])
  static wipe() {
    return 'wiped';
  }
}
class Bank {
  @Tool()
  @SetMetadata('roles', ['admin'])
  wipe() {
    return 'wiped';
  }
}
class Overriding extends Bank {
  override wipe() {
    return 'wiped';
  }
}
@Controller()
class OverridingController extends Bank {
  override wipe() {
    return 'wiped';
  }
}
class WrappedTwice {
  @Wrap()
  @UseGuards({ canActivate: () => false })
  @Tool()
  @SetMetadata('roles', ['admin'])
  @SetMetadata('owner', 'ada')
  wipe() {
    return 'wiped';
  }
}

describe('metadata of a tool that a guard would not see', () => {
  it.each<[string, { providers?: Provider[]; controllers?: [typeof OverridingController] }, RegExp]>([
    [
      'on a method that a decorator replaces',
      { providers: [Wrapped] },
      /Wrapped\.wipe\(\) would run without its metadata 'roles'.*Put @UseGuards\(\), @SetMetadata\(\) and similar decorators above/,
    ],
    [
      'on a static method that a decorator replaces',
      { providers: [WrappedStatic] },
      /static tool WrappedStatic\.wipe\(\) would run without its metadata 'roles'/,
    ],
    [
      'on a method that a subclass overrides',
      { providers: [Overriding] },
      /Overriding\.wipe\(\) would run without its metadata 'roles'/,
    ],
    [
      'on a method that a controller overrides',
      { controllers: [OverridingController] },
      /OverridingController\.wipe\(\) would run without its metadata 'roles'/,
    ],
    [
      'beside guards',
      { providers: [WrappedTwice] },
      /WrappedTwice\.wipe\(\) would run without its guards and metadata '(roles', 'owner|owner', 'roles)'/,
    ],
  ])('stops the bootstrap: %s', async (_where, metadata, message) => {
    expect((await bootstrapError(metadata)).message).toMatch(message);
  });

  it('is seen where it stands above the decorator that replaces the method, or is repeated', async () => {
    class Above {
      @Roles(['admin'])
      @Wrap()
      @Tool()
      wipe() {
        return 'wiped';
      }
    }
    class Repeated extends Bank {
      @Roles(['admin'])
      @SetMetadata('roles', ['admin'])
      override wipe() {
        return 'wiped';
      }
    }
    for (const host of [Above, Repeated]) {
      expect(await answersOf([host])).toEqual(HELD);
    }
  });

  it('means nothing outside of the container, where there are no guards', async () => {
    const [wipe] = ToolCallbacks.from(new Wrapped());
    expect(await wipe!.call('{}')).toBe('wiped');
  });

  it('is refused on an instance of a class that the provider is not known by', async () => {
    @Injectable()
    class Harmless {
      @Tool() wipe() {
        return 'nothing';
      }
    }
    class Dangerous extends Harmless {
      @Roles(['admin'])
      override wipe() {
        return 'wiped';
      }
    }
    const made: Provider = { provide: Harmless, scope: Scope.REQUEST, useFactory: () => new Dangerous() };
    const scene = await startApplication({ providers: [made, rolesGuard] }, callOf('wipe'));
    expect(await askAs('guest', scene)).toMatch(
      /Dangerous\.wipe\(\) has metadata '.+' that Nestor did not see at startup/,
    );
  });
});
