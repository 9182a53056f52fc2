import { describe, expect, it } from '@jest/globals';
import { isPublicAddress, publicLookup } from './public-address.js';

describe('an address', () => {
  it.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '168.63.129.17', '2606:4700::1111', '2a00:1450:4001::200e'])(
    'is public: %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    'fd00:ec2::254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'localhost',
    '',
  ])('is not public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    [true, [null, [{ address: '8.8.8.8', family: 4 }]]],
    [false, [null, '8.8.8.8', 4]],
  ])('that is public is given to the connection (all: %s)', async (all, given) => {
    const found = await new Promise((resolve) => publicLookup('8.8.8.8', { all }, (...found) => resolve(found)));
    expect(found).toEqual(given);
  });

  it.each([true, false])('that is not public is not looked up (all: %s)', async (all) => {
    const error = await new Promise((resolve) => publicLookup('localhost', { all }, resolve));
    expect(error).toMatchObject({ code: 'ERR_PRIVATE_ADDRESS' });
  });
});
