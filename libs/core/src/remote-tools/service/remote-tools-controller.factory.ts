import { Controller, type Type } from '@nestjs/common';
import {
  Ctx,
  EventPattern,
  MessagePattern,
  MqttContext,
  NatsContext,
  Payload,
  RedisContext,
} from '@nestjs/microservices';
import type { Observable } from 'rxjs';
import type { Envelope } from '../wire/envelopes.js';
import { type CallUpdate, patternsOf } from '../wire/messages.js';
import { OpenChannels } from './open-channels.js';
import { ReceivedCalls } from './received-calls.js';
import type { ServiceIdentity } from './service-identity.js';
import { ToolAnnouncements } from './tool-announcements.js';

/** Makes the controller of a service. Its patterns must be known before Nest creates it. */
export function createRemoteToolsController({ namespace, service, instance }: ServiceIdentity): Type {
  const shared = patternsOf(namespace);
  const own = patternsOf(namespace, instance);
  const audienceOf = (context: unknown): string => (isBroadcast(context) ? instance : service);

  @Controller()
  class RemoteToolsController {
    constructor(
      private readonly announcements: ToolAnnouncements,
      private readonly calls: ReceivedCalls,
      private readonly channels: OpenChannels,
    ) {}

    @MessagePattern(shared.tools)
    list(@Payload() envelope: unknown, @Ctx() context: unknown): Observable<Envelope> {
      return this.channels.whileOpen(this.announcements.answer(envelope, isBroadcast(context)), context);
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

/**
 * Whether every process of a service gets each message of a pattern. Then calls name the process
 * in their pattern, so that one process runs them.
 */
function isBroadcast(context: unknown): boolean {
  return context instanceof NatsContext || context instanceof RedisContext || context instanceof MqttContext;
}
