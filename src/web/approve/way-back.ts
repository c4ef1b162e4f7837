/** The way back to the third party: its own address, which was checked when the request was made, with what it gave us. */
import type { AskedConsent } from '../../consent/decide.js';

type WithAddresses = Pick<AskedConsent, 'id' | 'redirectUri' | 'nokRedirectUri' | 'tppState'>;

const withParameters = (address: string, { id, tppState }: WithAddresses): string => {
  const glue = address.includes('?') ? '&' : '?';
  const state = tppState === null ? '' : `&state=${encodeURIComponent(tppState)}`;
  // Added by hand: a URL object would write the third party's own parameters anew.
  return `${address}${glue}consentId=${encodeURIComponent(id)}${state}`;
};

const isWebAddress = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

/** Undefined where the third party has left no address. */
export const wayBack = (asked: WithAddresses, decision: 'approved' | 'refused'): string | undefined => {
  const address = decision === 'approved' ? asked.redirectUri : (asked.nokRedirectUri ?? asked.redirectUri);
  return address !== null && isWebAddress(address) ? withParameters(address, asked) : undefined;
};

/** The origins to which the decision's form may lead; browsers check the whole chain of redirects. */
export const formTargetOf = (asked: WithAddresses): string | undefined => {
  const origins = [asked.redirectUri, asked.nokRedirectUri].flatMap((address) =>
    address !== null && isWebAddress(address) ? [new URL(address).origin] : [],
  );
  return origins.length > 0 ? [...new Set(origins)].join(' ') : undefined;
};
