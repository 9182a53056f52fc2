import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AiEventSource } from './ai-event-source.js';
import { AiEvents } from './ai-events.js';
import { EventEmitterBridge } from './event-emitter-bridge.js';
import { TurnWatchers } from './turn-watchers.js';

/** All `AiModule`s of an application share this module, so that its events cover all clients. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    EventEmitterBridge,
    AiEventSource,
    TurnWatchers,
    {
      provide: AiEvents,
      inject: [AiEventSource],
      useFactory: ({ subject }: AiEventSource): AiEvents => new AiEvents(subject),
    },
  ],
  exports: [AiEventSource, AiEvents, EventEmitterBridge, TurnWatchers],
})
export class AiEventsModule {}
