import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { RmqContext, TcpContext } from '@nestjs/microservices';
import { of, Subject } from 'rxjs';
import { OpenChannels } from './open-channels.js';

/** A channel of amqplib whose broker confirms when it is told to. */
class Channel extends EventEmitter {
  confirm = (): void => undefined;

  waitForConfirms(): Promise<void> {
    return new Promise((resolve) => (this.confirm = resolve));
  }
}

const contextOf = (channel: EventEmitter): RmqContext => new RmqContext([{}, channel, 'call']);

describe('the open channels of a service', () => {
  it('send no answer on a channel that has closed', () => {
    const [channels, channel, answers, seen] = [
      new OpenChannels(),
      new Channel(),
      new Subject<number>(),
      [] as number[],
    ];
    channels.whileOpen(answers, contextOf(channel)).subscribe((answer) => seen.push(answer));
    answers.next(1);
    channel.emit('close');
    answers.next(2);
    expect(seen).toEqual([1]);
  });

  it('are confirmed when the broker has all answers', async () => {
    const [channels, channel] = [new OpenChannels(), new Channel()];
    channels.whileOpen(of(1), contextOf(channel)).subscribe();
    let isConfirmed = false;
    const confirming = channels.confirmed(60_000).then(() => (isConfirmed = true));
    await new Promise(setImmediate);
    expect(isConfirmed).toBe(false);
    channel.confirm();
    await confirming;
  });

  it('are waited for no longer than the limit, and not at all if they have closed or confirm nothing', async () => {
    const channels = new OpenChannels();
    await channels.confirmed(60_000);
    channels.whileOpen(of(1), contextOf(new EventEmitter())).subscribe();
    channels.whileOpen(of(1), new TcpContext([{} as never, 'call'])).subscribe();
    const closed = new Channel();
    channels.whileOpen(of(1), contextOf(closed)).subscribe();
    closed.emit('close');
    await channels.confirmed(60_000);
    channels.whileOpen(of(1), contextOf(new Channel())).subscribe();
    await channels.confirmed(10);
  });
});
