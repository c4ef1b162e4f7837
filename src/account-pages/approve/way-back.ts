/**
 * The way back to the third party: its own address, which was checked when the request was made, with what it gave us. A
 * request that began within an authorization goes back through that, and only in the browser that began it.
 */
import type { AskedConsent } from '../../consent/asked.js';
import { isPlainAddress } from '../../lib/net/redirect.js';
import { paths } from '../../oauth/provider.js';
import { authorizationInBrowser } from '../login/browser-authorizations.js';
import type { ApprovalParts, Within as BrowserAuthorization, HolderVisit } from './parts.js';

type WithAddresses = Pick<AskedConsent, 'id' | 'redirectUri' | 'nokRedirectUri' | 'tppState'>;

/** The result for the third party in the redirect; it must read the consent to be sure. */
export type Result = 'approved' | 'refused' | 'failed' | 'expired';

const withParameters = (address: string, { id, tppState }: WithAddresses, result: Result): string => {
  const glue = address.includes('?') ? '&' : '?';
  const state = tppState === null ? '' : `&state=${encodeURIComponent(tppState)}`;
  // Added by hand: a URL object would write the third party's own parameters anew.
  return `${address}${glue}consentId=${encodeURIComponent(id)}${state}&result=${result}`;
};

/** `other-browser`: it waits in another browser; `over`: it took too long. Undefined for a request that is not within one. */
export const withinOf = async (
  { waiting, site }: ApprovalParts,
  { request, frame }: HolderVisit,
  { interactionHash: hash }: Pick<AskedConsent, 'interactionHash'>,
): Promise<BrowserAuthorization | 'other-browser' | 'over' | undefined> => {
  if (hash === null) return undefined;
  const authorization = await waiting(hash);
  if (!authorization) return 'over';
  const uid = authorizationInBrowser(request, site, hash);
  if (uid === undefined) return 'other-browser';
  return { ...authorization, back: frame.href(`${paths.login}/${uid}`) };
};

/** Undefined if the third party has left no address. */
export const wayBack = (
  asked: WithAddresses,
  result: Result,
  within?: BrowserAuthorization,
): string | undefined => {
  if (within) return within.back;
  const address = result === 'approved' ? asked.redirectUri : (asked.nokRedirectUri ?? asked.redirectUri);
  return address !== null && isPlainAddress(address) ? withParameters(address, asked, result) : undefined;
};

/** The origins to which the decision's form may lead; browsers check the whole chain of redirects. */
export const formTargetOf = (
  asked: WithAddresses,
  within?: BrowserAuthorization,
  /** Where the person confirms. */
  bankAddress?: string,
): string | undefined => {
  const addresses = [asked.redirectUri, asked.nokRedirectUri, within?.redirectUri, bankAddress];
  const origins = addresses.flatMap((address) =>
    address && isPlainAddress(address) ? [new URL(address).origin] : [],
  );
  return origins.length > 0 ? [...new Set(origins)].join(' ') : undefined;
};
