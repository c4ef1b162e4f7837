/** Where browsers may be sent with a code or a decision: to https addresses, which nothing in them can turn into something else. */
import { isLocalHost } from './address.js';

/** What ends a directive of a content policy, a header or an attribute stands in no address; percent-encoded it may. */
const PLAIN = /^[A-Za-z0-9._~:/?#[\]@!$&()*+=%-]+$/;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/;

/** Whether it can stand in a page and its policy as it is. */
export const isPlainAddress = (address: string): boolean =>
  PLAIN.test(address) &&
  /^https?:\/\//i.test(address) &&
  URL.canParse(address) &&
  HOST.test(new URL(address).hostname);

/** What is wrong with a redirect address, in words. `allowsHttp`: a sandbox may live on an http address of a local network. */
export const redirectFault = (address: string, allowsHttp = false): string | undefined => {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return 'must be a full https address';
  if (address.includes('#')) return 'must not have a fragment (#)';
  if (/^https?:\/\/[^/?]*@/i.test(address)) return 'must not have a user name';
  if (!isPlainAddress(address))
    return 'must not have blanks, quotes, semicolons, commas or other special characters; write them percent-encoded';
  const { protocol, hostname } = new URL(address);
  if (protocol === 'http:' && !allowsHttp && !isLocalHost(hostname))
    return 'must be https; http is for 127.0.0.1, [::1] and localhost only';
  return undefined;
};
