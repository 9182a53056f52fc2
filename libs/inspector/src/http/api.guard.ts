import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { HttpRequest } from '@nestor-ai/core';
import { checkIsOfPage } from './inspector-door.guard.js';

/** Admits requests to the API that the page has made. */
@Injectable()
export class ApiGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    checkIsOfPage(context.switchToHttp().getRequest<HttpRequest>());
    return true;
  }
}
