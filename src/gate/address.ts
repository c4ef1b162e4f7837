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

export const clientAddress = (proxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const trusted = listOf(proxies);
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, family(address));
  return (request) => {
    const peer = plain(request.socket.remoteAddress ?? '');
    if (proxies.length === 0 || !isTrusted(peer)) return peer;
    const forwarded = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((part) => plain(part.trim()));
    // From the right: the last hop that is not one of ours. What stands further left, anybody can have written.
    return forwarded.findLast((address) => isIP(address) !== 0 && !isTrusted(address)) ?? peer;
  };
};
