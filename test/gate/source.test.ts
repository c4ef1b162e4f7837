/** Whom a limit counts a request for: read from the right of X-Forwarded-For, an IPv6 client by its /64, and nothing that a client can choose. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientAddress, sourceOf } from '../../src/gate/source.js';

const PROXY = '127.0.0.1';
const PROXIES = [PROXY, '10.0.0.0/8', '2001:db8:ffff::/48', '::ffff:192.0.2.1'];

const from = (peer: string | undefined, forwarded?: string | string[]): IncomingMessage =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

const addressFor = (forwarded: string, peer = PROXY): string => clientAddress(PROXIES)(from(peer, forwarded));

/** Last hops that name a client, and the client. */
const readable: Readonly<Record<string, string>> = {
  '203.0.113.9': '203.0.113.9',
  '203.0.113.9:51234': '203.0.113.9',
  '203.0.113.9:1': '203.0.113.9',
  '  203.0.113.9:443\t': '203.0.113.9',
  '[203.0.113.9]': 'unreadable',
  '2001:db8::1': '2001:db8::1',
  '2001:DB8:0:0:0:0:0:1': '2001:db8::1',
  '[2001:db8::1]': '2001:db8::1',
  '[2001:db8::1]:443': '2001:db8::1',
  '[2001:DB8::1]:65535': '2001:db8::1',
  '::ffff:203.0.113.9': '203.0.113.9',
  '::FFFF:203.0.113.9': '203.0.113.9',
  '::ffff:cb00:7109': '203.0.113.9',
  '0:0:0:0:0:ffff:203.0.113.9': '203.0.113.9',
  '[::ffff:203.0.113.9]:80': '203.0.113.9',
  '203.0.113.9, 10.0.0.5': '203.0.113.9',
  '203.0.113.9:51234,10.0.0.5:80 , 127.0.0.1': '203.0.113.9',
  '203.0.113.9, ::ffff:10.0.0.5': '203.0.113.9',
  '203.0.113.9, [2001:db8:ffff::7]:8080': '203.0.113.9',
  '203.0.113.9, 192.0.2.1': '203.0.113.9',
  '[2001:db8::1]:443, 10.9.9.9:1': '2001:db8::1',
};

/** Last hops without an address. */
const unreadable: readonly string[] = [
  '',
  ' ',
  'unknown',
  'Unknown',
  '-',
  '_hidden',
  '_hidden:1',
  'localhost',
  'client.example',
  'client.example:443',
  'for=203.0.113.9',
  '"203.0.113.9"',
  "'203.0.113.9'",
  '"[2001:db8::1]:443"',
  '203.0.113.9:',
  '203.0.113.9:port',
  '203.0.113.9:123456',
  '203.0.113.9:-1',
  '203.0.113.9:443:443',
  '203.0.113.9;port=1',
  '203.0.113.9/32',
  '203.0.113.9 203.0.113.10',
  '203.0.113.9\u00a0',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.09',
  '0313.0.113.9',
  '0xcb.0.113.9',
  '3405803785',
  '.203.0.113.9',
  '203.0.113.9.',
  '[203.0.113.9]:443',
  '[2001:db8::1',
  '2001:db8::1]',
  '[[2001:db8::1]]',
  '[2001:db8::1]443',
  '[2001:db8::1]:',
  '[2001:db8::1]:x',
  '[2001:db8::1%eth0]',
  'fe80::1%eth0',
  '2001:db8::1::2',
  '2001:db8:1:2:3:4:5:6:443',
  '2001:db8::g',
  '[]',
  '[]:443',
  ':443',
  '%00',
  '203.0.113.9, unknown, 10.0.0.5',
  '203.0.113.9, , 10.0.0.5',
  '203.0.113.9,',
  'nonsense, 10.0.0.5, 127.0.0.1',
];

/** What a client has written in front of it. */
const claims = ['', '1.1.1.1, ', '1.1.1.1:80, 10.0.0.5, '];

describe('the address of a client', () => {
  for (const claim of claims) {
    it.each(Object.entries(readable))(`${claim}%j is read`, (hop, address) => {
      expect(addressFor(claim + hop)).toBe(address === 'unreadable' ? PROXY : address);
    });

    it.each(unreadable)(`${claim}%j is the peer's, never what stands left of it`, (hop) => {
      expect(addressFor(claim + hop)).toBe(PROXY);
    });
  }

  it('is the same from a repeated header as from one list', () => {
    const repeated = clientAddress(PROXIES)(from(PROXY, ['1.1.1.1', '203.0.113.9:1']));
    expect(repeated).toBe('203.0.113.9');
  });

  it.each(['203.0.113.50', '::ffff:203.0.113.50', '::ffff:cb00:7132'])(
    'is that of the peer %s, who is no proxy of the bank, whatever the header says',
    (peer) => {
      expect(addressFor('1.1.1.1', peer)).toBe('203.0.113.50');
      expect(clientAddress([])(from(peer, '1.1.1.1'))).toBe('203.0.113.50');
    },
  );

  it('is that of the peer if all hops are proxies of the bank, or there are none', () => {
    expect(addressFor('10.0.0.5, 10.0.0.6')).toBe(PROXY);
    expect(clientAddress(PROXIES)(from(PROXY))).toBe(PROXY);
    expect(clientAddress(PROXIES)(from(undefined, '1.1.1.1'))).toBe('');
  });

  it('is believed from a proxy that is called by its mapped address', () => {
    for (const peer of ['::ffff:127.0.0.1', '::ffff:10.0.0.9', '2001:db8:ffff::9', '192.0.2.1'])
      expect(addressFor('1.1.1.1, 203.0.113.9:5', peer)).toBe('203.0.113.9');
  });
});

describe('the source of a request', () => {
  const source = sourceOf(PROXIES);
  const count = (address: (index: number) => string, most: number): number =>
    new Set(Array.from({ length: most }, (_, index) => source(from(PROXY, address(index))))).size;

  it('is one for a thousand addresses of one /64, in all their forms', () => {
    const inNetwork = (index: number): string => {
      const host = ((index * 7919) % 65_536).toString(16);
      const forms = [
        `2001:db8:1:2::${host}`,
        `[2001:DB8:1:2::${host}]:${index + 1}`,
        `2001:db8:1:2:0:${host}:1:1`,
      ];
      return `1.1.1.${index % 256}, ${forms[index % forms.length]}`;
    };
    expect(count(inNetwork, 1000)).toBe(1);
    expect(sourceOf([])(from('2001:db8:1:2::77'))).toBe(sourceOf(PROXIES)(from(PROXY, inNetwork(3))));
  });

  it('is another one for each network, and for each IPv4 address', () => {
    expect(count((index) => `2001:db8:1:${index.toString(16)}::1`, 1000)).toBe(1000);
    expect(count((index) => `203.0.${index >> 8}.${index & 255}:${index + 1}`, 1000)).toBe(1000);
  });
});
