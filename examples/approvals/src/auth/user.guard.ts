import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';

export interface User {
  id: string;
  isApprover: boolean;
}

export interface UserRequest {
  headers: Record<string, string | undefined>;
  user?: User;
}

const USERS: User[] = [
  { id: 'ann', isApprover: true },
  { id: 'bob', isApprover: true },
  { id: 'carl', isApprover: false },
];

/** Stands in for your sign-in: it believes the header `x-user`. The jwt-guard example has a real one. */
@Injectable()
export class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    const request = context.switchToHttp().getRequest<UserRequest>();
    const user = USERS.find(({ id }) => id === request.headers['x-user']);
    if (!user) throw new UnauthorizedException();
    request.user = user;
    return true;
  }
}
