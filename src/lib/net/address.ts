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

/** Who an address stands for in limits and events: an IPv6 client has a whole /64 to call from, so that is its address. */
export const networkOf = (text: string): string => {
  const address = parse(text);
  if (!(address instanceof ipaddr.IPv6)) return text;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
};
