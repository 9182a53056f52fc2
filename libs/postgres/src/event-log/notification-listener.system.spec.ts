import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { describeOnOwnServer, OwnServer } from '../../../../test/postgres/own-server.js';
import { until } from '../../../../test/until.js';
import { NotificationListener } from './notification-listener.js';

describeOnOwnServer('notifications', () => {
  let own: OwnServer;

  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'debug').mockImplementation(() => undefined);
    own = await OwnServer.start();
  });
  afterAll(() => own.stop());

  it('arrive again after their connection was dropped silently', async () => {
    const { proxy, database } = await own.openReplica();
    const heard: string[] = [];
    const listener = new NotificationListener(database, 'news', (payload) => heard.push(payload));
    listener.open();
    await until(() => listener.isListening);
    proxy.silence();
    await until(async () => {
      await own.admin.query("NOTIFY news, 'again'");
      return heard.length > 0;
    });
    expect(heard).toContain('again');
    await listener.close();
  });
});
