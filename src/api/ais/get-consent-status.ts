/** Operation 3, "Get consent status": the lifecycle status of an account information consent, in every state, for its owner. */
import { Type } from 'typebox';
import { findConsent } from '../../consent/consents.js';
import { statusAt } from '../../consent/lifecycle.js';
import { consentStatuses } from '../../consent/record.js';
import { operation } from '../../http/operation.js';
import { Problem } from '../../problem.js';
import { credentialHeaders, psuHeaders, requestId, signatureHeaders } from '../headers.js';
import type { ConsentReadParts } from '../parts.js';
import { oneOf } from '../schema.js';

export const ConsentStatusResponse = Type.Object(
  { status: oneOf(consentStatuses, 'Overall lifecycle status of the consent.') },
  { additionalProperties: false },
);

export const getConsentStatus = ({ db, bankTime }: ConsentReadParts) =>
  operation({
    id: 'getConsentStatus',
    method: 'GET',
    path: '/ais/psd2/v1/consents/:consentId/status',
    area: 'ais',
    summary: 'Get consent status',
    description:
      'Reads the status of an account information consent of the calling application and account holder.',
    headers: [requestId, ...signatureHeaders, ...psuHeaders, ...credentialHeaders],
    query: [],
    params: [
      {
        name: 'consentId',
        schema: { type: 'string' },
        description: 'Id of the consent as returned when it was created.',
      },
    ],
    success: {
      status: 200,
      description: 'The status.',
      schema: ConsentStatusResponse,
      example: { status: 'Valid' },
    },
    repeat: 'ignored',
    async handle({ params, caller }) {
      const [bankNow, consent] = await Promise.all([
        bankTime(),
        findConsent(db, params.consentId ?? '', caller, 'AccountAccess'),
      ]);
      if (!consent) throw new Problem('resource-not-found');
      return { status: 200, body: { status: statusAt(consent, bankNow) } };
    },
  });
