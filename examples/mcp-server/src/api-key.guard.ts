import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';

interface RequestWithHeaders {
  headers: Record<string, string | undefined>;
}

/** Lets clients in that know the key. A real application asks an authorization server: see `auth`. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    const { headers } = context.switchToHttp().getRequest<RequestWithHeaders>();
    if (headers['x-api-key'] === (process.env.API_KEY ?? 'secret')) return true;
    throw new UnauthorizedException();
  }
}
