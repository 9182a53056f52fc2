import { Reflector } from '@nestjs/core';

/** The roles that may call a handler or a tool; one of them is enough. */
export const Roles = Reflector.createDecorator<string[]>();
