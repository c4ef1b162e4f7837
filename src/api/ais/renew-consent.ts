/** Asks the account holder to authenticate anew for an account access that is Valid: after 180 days under PSD2, or for older history. */
import { findConsent, startRenewal } from '../../consent/consents.js';
import { statusAt } from '../../consent/lifecycle.js';
import { once, replayOf } from '../../gate/request-ids.js';
import { operation } from '../../http/operation.js';
import { Problem } from '../../problem/problem.js';
import { addressesOf, type CreateParts, createHeaders } from '../consents/create-consent.js';
import { createdAt } from '../consents/examples.js';
import { accountConsents } from './create-account-consent.js';

const notValid = (): Problem =>
  new Problem('state-conflict', { detail: 'Only a Valid consent can be authorised anew.' });

export const renewConsent = (parts: CreateParts) =>
  operation({
    id: 'startConsentAuthorisation',
    method: 'POST',
    path: '/ais/psd2/v1/consents/:consentId/authorisations',
    area: 'ais',
    summary: 'Renew the authentication of an account access consent',
    description:
      'Starts a new authorisation of a Valid consent. Send the account holder to scaRedirect: the page shows what is allowed already and asks for a one-time code. What the consent covers does not change, and a refusal leaves it as it is.',
    headers: createHeaders,
    query: [],
    params: [
      {
        name: 'consentId',
        schema: { type: 'string' },
        description: 'Id of the account access consent as returned when it was created.',
      },
    ],
    success: {
      ...createdAt('/ais/psd2/v1/consents', { consentStatus: 'Valid' }),
      description: 'The account holder can be sent.',
    },
    problems: ['state-conflict'],
    repeat: 'replayed',
    async handle(call) {
      const addresses = addressesOf(call, parts);
      const earlier = await replayOf(parts, call);
      if (earlier) return earlier;
      const id = call.params.consentId ?? '';
      const [bankNow, consent] = await Promise.all([
        parts.bankTime(),
        findConsent(parts.db, id, call.caller, accountConsents.kind),
      ]);
      if (!consent) throw new Problem('resource-not-found');
      if (statusAt(consent, bankNow) !== 'Valid') throw notValid();
      return once(parts, call, async (tx) => {
        const tppState = call.headers['tpp-state'] || null;
        const start = { id, caller: call.caller, ...addresses, tppState, at: bankNow };
        if (!(await startRenewal(tx, start))) throw notValid();
        const { baseUrl } = parts.site;
        const self = `${baseUrl}/ais/psd2/v1/consents/${id}`;
        const _links = {
          self: { href: self },
          status: { href: `${self}/status` },
          scaRedirect: { href: `${baseUrl}/authorise/${id}` },
        };
        const headers = { Location: self, 'ASPSP-SCA-Approach': 'REDIRECT' };
        return { status: 201, headers, body: { consentId: id, consentStatus: 'Valid', _links } };
      });
    },
  });
