import {
  type ArgumentsHost,
  Catch,
  ForbiddenException,
  HttpException,
  Inject,
  UnauthorizedException,
} from '@nestjs/common';
import { BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import type { HttpRequest, HttpResponse } from '@nestor-ai/core';
import { InspectorDoor } from './inspector-door.guard.js';
import { sendRefusal } from './send.js';

const REMEDY =
  'A guard that the application has for all endpoints has refused the inspector. Such guards run for this page too. Let ' +
  'them pass it with the option decorators of AiInspectorModule, such as decorators: [Public()].';

/**
 * Says why the page is refused, as text if a human has opened its address. If the token was right, a
 * global guard of the application has refused the request.
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
    const http = host.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const isOfApplication = this.door.isBetweenGuards(request);
    const refused = isOfApplication ? new HttpException(REMEDY, exception.getStatus()) : exception;
    // A human has opened the address.
    if (request.headers['sec-fetch-dest'] === 'document')
      return sendRefusal(http.getResponse<HttpResponse>(), refused.getStatus(), refused.message);
    // oxlint-disable-next-line promise/valid-params -- the method of a filter
    super.catch(refused, host);
  }
}
