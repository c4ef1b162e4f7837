/**
 * Which addresses may receive notifications, as far as the address itself shows. The resolved IP address is checked at every
 * connection.
 */
import { isIP } from 'node:net';
import { isLocalHost, isPublic, withoutBrackets } from '../lib/net/address.js';

export const MAX_TARGET = 2048;

const hostFault = (url: URL, allowsLoopback: boolean): string | undefined => {
  const host = withoutBrackets(url.hostname);
  if (allowsLoopback && isLocalHost(host)) return undefined;
  if (url.protocol !== 'https:') return 'must be an https address';
  const isNamed = isIP(host) === 0;
  if (isNamed ? isLocalHost(host.replace(/\.$/, '')) : !isPublic(host))
    return 'must lead to a public address';
  return undefined;
};

/** What is wrong with an address for notifications, in words. A sandbox on a loopback address takes others of this machine, also over http. */
export const targetFault = (value: string, allowsLoopback: boolean): string | undefined => {
  if (value.length > MAX_TARGET) return `must have at most ${MAX_TARGET} characters`;
  if (!URL.canParse(value) || !/^https?:\/\//i.test(value)) return 'must be an https address';
  const url = new URL(value);
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(value))
    return 'must not have a user name';
  if (value.includes('#')) return 'must not have a fragment';
  return hostFault(url, allowsLoopback);
};

/** One spelling, which is both stored and signed. */
export const normalTarget = (value: string): string => new URL(value).href;

/** Host and port, for comparing; undefined if it is not an address. */
export const authorityOf = (value: string): string | undefined =>
  URL.canParse(value) ? new URL(value).host : undefined;
