/** Under which name browsers keep passkeys: a host name, which an address of digits is not. */
import { isIP } from 'node:net';

export interface RelyingParty {
  /** The RP ID. */
  readonly id: string;
  /** Of the pages on which the browser is asked. */
  readonly origin: string;
}

/** `ip-address`: the service is reached by one; `insecure`: browsers give passkeys to https alone, and to this very machine. */
export type PasskeyObstacle = 'ip-address' | 'insecure';

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

export const obstacleAt = (address: string): PasskeyObstacle | undefined => {
  const { protocol, hostname } = new URL(address);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'ip-address';
  return protocol === 'https:' || isLocal(hostname) ? undefined : 'insecure';
};

/** Undefined if browsers would refuse passkeys there. */
export const relyingPartyAt = (address: string, id?: string): RelyingParty | undefined => {
  if (obstacleAt(address) !== undefined) return undefined;
  const { hostname, origin } = new URL(address);
  return { id: id ?? hostname, origin };
};
