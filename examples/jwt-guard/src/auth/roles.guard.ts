import { type CanActivate, type ExecutionContext, ForbiddenException, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { SignedInRequest } from './jwt-auth.guard.js';
import { Roles } from './roles.decorator.js';

@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext) {
    const roles = this.reflector.getAllAndOverride(Roles, [context.getHandler(), context.getClass()]);
    if (!roles) return true;
    const { user } = context.switchToHttp().getRequest<SignedInRequest>();
    if (roles.some((role) => user?.roles.includes(role))) return true;
    // The model reads this message when it calls a tool.
    throw new ForbiddenException(`Only these roles may do this: ${roles.join(', ')}`);
  }
}
