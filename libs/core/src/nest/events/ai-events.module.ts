import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AiEventSource } from './ai-event-source.js';
import { AiEvents } from './ai-events.js';
import { EventEmitterBridge } from './event-emitter-bridge.js';

/** Shared by all `AiModule`s of an application, so that its events are those of all its clients. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    EventEmitterBridge,
    AiEventSource,
    {
      provide: AiEvents,
      inject: [AiEventSource],
      useFactory: ({ subject }: AiEventSource): AiEvents => new AiEvents(subject),
    },
  ],
  exports: [AiEventSource, AiEvents, EventEmitterBridge],
})
export class AiEventsModule {}
