/** Which IP addresses the outside world may make us connect to: public ones. Whatever is not known to be public is not. */
import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** Public by its number, but answered inside a cloud: the host's own agent on Azure. */
const insideClouds: ReadonlySet<string> = new Set(['168.63.129.16']);

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const parse = (address: string): Address | undefined =>
  ipaddr.isValid(address) ? ipaddr.parse(address) : undefined;

/** Neither private, local, shared, reserved, for documentation, for many receivers, nor an IPv4-mapped IPv6 address. */
export const isPublic = (text: string): boolean => {
  const address = parse(text);
  if (address?.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(globalUnicast);
  return !insideClouds.has(address.toString());
};

export const isLoopback = (text: string): boolean => parse(text)?.range() === 'loopback';

/** The host of a URL as resolvers and sockets take it: an IPv6 address stands in brackets in a URL only. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** The host of a URL that leads to this machine by its own words; what a name resolves to is seen at the connection. */
export const isLocalHost = (hostname: string): boolean =>
  hostname === 'localhost' || isLoopback(withoutBrackets(hostname));

/** An IPv4-mapped IPv6 address, however it is written, is the IPv4 address. */
export const plainAddress = (text: string): string =>
  text.includes(':') && ipaddr.isValid(text) ? ipaddr.process(text).toString() : text;

declare const counted: unique symbol;
/** Who a limit counts: an IPv4 address, or the /64 of an IPv6 address, because an IPv6 client has all of it to call from. */
export type Source = string & { readonly [counted]: true };

export const networkOf = (text: string): Source => {
  const plain = plainAddress(text);
  const address = parse(plain);
  if (!(address instanceof ipaddr.IPv6)) return plain as Source;
  const groups = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(':')}::/64` as Source;
};

const documentation = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'].map(
  (range) => ipaddr.parseCIDR(range),
);

/** An address, with or without a prefix, that stands for another one in documents and samples (RFC 5737, 3849, 9637). */
export const isPlaceholder = (network: string): boolean => {
  const address = parse(network.split('/')[0] ?? '');
  return documentation.some(
    ([base, length]) => address?.kind() === base.kind() && address.match(base, length),
  );
};
