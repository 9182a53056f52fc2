import {
  type ArgumentsHost,
  Catch,
  ForbiddenException,
  HttpException,
  Inject,
  UnauthorizedException,
} from '@nestjs/common';
import { BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import { InspectorDoor } from './inspector-door.guard.js';

const REMEDY =
  'A guard that the application has for all endpoints has refused the inspector. Such guards run for this page too. Let ' +
  'them pass it with the option decorators of AiInspectorModule, such as decorators: [Public()].';

/**
 * Says why a page without guards is refused: the token was right, and a global guard of the
 * application has refused the request.
 */
@Catch(UnauthorizedException, ForbiddenException)
export class RefusedByApplicationFilter extends BaseExceptionFilter {
  constructor(
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
    private readonly door: InspectorDoor,
  ) {
    super(host.httpAdapter);
  }

  override catch(exception: HttpException, host: ArgumentsHost): void {
    const isOfApplication = this.door.isBetweenGuards(host.switchToHttp().getRequest<object>());
    // oxlint-disable-next-line promise/valid-params -- the method of a filter
    super.catch(isOfApplication ? new HttpException(REMEDY, exception.getStatus()) : exception, host);
  }
}
