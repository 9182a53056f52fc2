import { type ArgumentsHost, Catch, Controller, type Type, UseFilters } from '@nestjs/common';
import {
  BaseRpcExceptionFilter,
  Ctx,
  EventPattern,
  MessagePattern,
  MqttContext,
  NatsContext,
  Payload,
  RedisContext,
  TcpContext,
} from '@nestjs/microservices';
import { NEVER, type Observable } from 'rxjs';
import type { Envelope } from '../wire/envelopes.js';
import { type CallUpdate, patternsOf } from '../wire/messages.js';
import { OpenChannels } from './open-channels.js';
import { ReceivedCalls } from './received-calls.js';
import type { ServiceIdentity } from './service-identity.js';
import { ToolAnnouncements } from './tool-announcements.js';

/** A global guard may refuse a question. An error would end the answers of all other services as well. */
@Catch()
class QuestionFilter extends BaseRpcExceptionFilter<unknown> {
  override catch(error: unknown, host: ArgumentsHost): Observable<unknown> {
    // oxlint-disable-next-line promise/no-promise-in-callback, promise/valid-params -- it is no promise
    const answer = super.catch(error, host);
    return isBroadcast(host.switchToRpc().getContext()) ? NEVER : answer;
  }
}

/** Makes the controller of a service. Its patterns must be known before Nest creates it. */
export function createRemoteToolsController({ namespace, service, instance }: ServiceIdentity): Type {
  const shared = patternsOf(namespace);
  const own = patternsOf(namespace, instance);
  const audienceOf = (context: unknown): string => (isAddressed(context) ? instance : service);

  @Controller()
  class RemoteToolsController {
    constructor(
      private readonly announcements: ToolAnnouncements,
      private readonly calls: ReceivedCalls,
      private readonly channels: OpenChannels,
    ) {}

    @MessagePattern(shared.tools)
    @UseFilters(QuestionFilter)
    list(@Payload() envelope: unknown, @Ctx() context: unknown): Observable<Envelope> {
      return this.channels.whileOpen(this.announcements.answer(envelope, isAddressed(context)), context);
    }

    @MessagePattern([shared.call, own.call])
    call(@Payload() envelope: unknown, @Ctx() context: unknown): Observable<CallUpdate> {
      return this.channels.whileOpen(this.calls.run(envelope, audienceOf(context)), context);
    }

    @EventPattern([shared.cancel, own.cancel])
    cancel(@Payload() envelope: unknown, @Ctx() context: unknown): void {
      this.calls.cancel(envelope, audienceOf(context));
    }
  }
  return RemoteToolsController;
}

/** Whether every process of a service gets each message of a pattern. */
function isBroadcast(context: unknown): boolean {
  return context instanceof NatsContext || context instanceof RedisContext || context instanceof MqttContext;
}

/**
 * Whether calls name the process in their pattern, so that one process runs them. Over TCP, the
 * process at the other end of the connection: a recorded call is of no use for its replicas and its
 * successors. On a queue, the broker chooses the process.
 */
function isAddressed(context: unknown): boolean {
  return isBroadcast(context) || context instanceof TcpContext;
}
