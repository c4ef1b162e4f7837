/** The address of the client: that of the socket, unless the socket is a proxy the bank has named. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** `::ffff:10.0.0.1` is 10.0.0.1. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

const listOf = (proxies: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    if (prefix === undefined) list.addAddress(address, family(address));
    else list.addSubnet(address, Number(prefix), family(address));
  }
  return list;
};

const trustOf = (proxies: readonly string[]): ((address: string) => boolean) => {
  const trusted = listOf(proxies);
  return (address) => isIP(address) !== 0 && trusted.check(address, family(address));
};

const peerOf = (request: IncomingMessage): string => plain(request.socket.remoteAddress ?? '');

/** Whether a request came from one of the proxies that the bank has named. */
export const fromProxy = (proxies: readonly string[]): ((request: IncomingMessage) => boolean) => {
  const isTrusted = trustOf(proxies);
  return proxies.length === 0 ? () => false : (request) => isTrusted(peerOf(request));
};

export const clientAddress = (proxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const isTrusted = trustOf(proxies);
  return (request) => {
    const peer = peerOf(request);
    if (proxies.length === 0 || !isTrusted(peer)) return peer;
    const forwarded = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((part) => plain(part.trim()));
    // From the right: the last hop that is not one of ours. What stands further left, anybody can have written.
    return forwarded.findLast((address) => isIP(address) !== 0 && !isTrusted(address)) ?? peer;
  };
};
