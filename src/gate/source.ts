/**
 * Where a request comes from: the peer of its socket, or the client that the bank's own proxies name. `sourceOf` is what every limit
 * and every security event counts.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { networkOf, plainAddress, type Source } from '../lib/net/address.js';

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const listOf = (proxies: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    if (prefix === undefined) list.addAddress(plainAddress(address), family(plainAddress(address)));
    else list.addSubnet(address, Number(prefix), family(address));
  }
  return list;
};

/** Whether an address is one of these, or in one of these networks. */
export const isFromAny = (proxies: readonly string[]): ((address: string) => boolean) => {
  const trusted = listOf(proxies);
  return (address) => isIP(address) !== 0 && trusted.check(address, family(address));
};

const peerOf = (request: IncomingMessage): string => plainAddress(request.socket.remoteAddress ?? '');

/** Whether a request came from one of the proxies that the bank has named. */
export const fromProxy = (proxies: readonly string[]): ((request: IncomingMessage) => boolean) => {
  const isTrusted = isFromAny(proxies);
  return proxies.length === 0 ? () => false : (request) => isTrusted(peerOf(request));
};

/** `203.0.113.9:51234` and `[2001:db8::1]:443`, as some gateways append it; `[2001:db8::1]`. */
const WITH_PORT = /^(?:([\d.]+):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i;

/** A hop as X-Forwarded-For names it; undefined if it is no IP address. */
const readHop = (text: string): string | undefined => {
  const hop = text.replace(/^[ \t]+|[ \t]+$/g, '');
  const [, four, six] = WITH_PORT.exec(hop) ?? [];
  const address = four ?? six ?? hop;
  const isFit = four === undefined ? six === undefined || isIP(six) === 6 : isIP(four) === 4;
  // A zone has a meaning on one machine only.
  return isFit && isIP(address) !== 0 && !address.includes('%') ? plainAddress(address) : undefined;
};

/** From the right: each trusted hop vouches for the one before it. What stands left of any other, its client can have written. */
const lastUntrusted = (header: string, isTrusted: (address: string) => boolean): string | undefined => {
  for (const text of header.split(',').reverse()) {
    const hop = readHop(text);
    if (hop === undefined || !isTrusted(hop)) return hop;
  }
  return undefined;
};

/** The peer counts if no proxy of ours says otherwise in a way that can be read. */
export const clientAddress = (proxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const isTrusted = isFromAny(proxies);
  return (request) => {
    const peer = peerOf(request);
    if (proxies.length === 0 || !isTrusted(peer)) return peer;
    return lastUntrusted(String(request.headers['x-forwarded-for'] ?? ''), isTrusted) ?? peer;
  };
};

export const sourceOf = (proxies: readonly string[]): ((request: IncomingMessage) => Source) => {
  const addressOf = clientAddress(proxies);
  return (request) => networkOf(addressOf(request));
};
