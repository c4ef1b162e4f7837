/** The part of the contract about consents, for a core that wants to know of them. */
import { Type } from 'typebox';
import { BankId, Moment, nullable, oneOf, strict } from './basic-shapes.js';

const statuses = ['Valid', 'Rejected', 'RevokedByPsu', 'TerminatedByTpp', 'Expired'] as const;

const ConsentState = Type.Object(
  {
    consentId: Type.String({ format: 'uuid' }),
    revision: Type.Integer({ minimum: 1, description: 'Grows with each change of this consent.' }),
    kind: oneOf(['AccountAccess', 'PaymentInitiation', 'ConfirmationOfFunds']),
    status: oneOf(statuses, {
      description: 'Valid: it was given, or renewed. All others are final.',
    }),
    reason: nullable(
      Type.String({
        pattern: '^[a-z-]{1,40}$',
        description:
          'Why it has ended: rejected, undecided, superseded, ended-by-tpp, withdrawn, blocked, completed, payment-rejected, payment-cancelled, unused, expired or ended-by-bank. There may be others one day.',
      }),
    ),
    changedAt: Moment,
    psuId: BankId,
    accountIds: Type.Array(BankId, { description: 'Empty if the person has chosen none.' }),
    applicationId: Type.String({ description: 'The application of the third party.' }),
    thirdParty: Type.Object(
      {
        name: Type.String(),
        registration: Type.String({ description: 'At its authority, such as PSDGR-BOG-12345.' }),
      },
      { ...strict, title: 'ThirdParty' },
    ),
    validUntil: nullable({ ...Moment, description: 'Null: until somebody ends it.' } as typeof Moment),
  },
  { ...strict, title: 'ConsentState' },
);

export const consentOperations = {
  putConsent: {
    id: 'putConsent',
    method: 'PUT',
    path: '/consents/:consentId',
    summary: 'Hear that a consent was given or has ended',
    description:
      'Optional: called only while `GET /health` says `"consents": true`. For your own records and your watch on fraud; Trapeza decides alone whether a consent holds. Comes within seconds of the change, and never before it; what could not be delivered is repeated with longer and longer pauses, with the state that the consent has by then. Keep the state with the highest `revision` and answer with that: the same one again, or a lower one that was overtaken on its way, changes nothing and is no error. A consent that has ended stays ended: `Valid` with a higher revision after an end comes from a store that was restored to an earlier moment; take the revision, and keep the end.',
    body: ConsentState,
    answer: Type.Object(
      {
        consentId: Type.String({ format: 'uuid' }),
        revision: Type.Integer({ minimum: 1, description: 'The highest that you have of this consent.' }),
        status: Type.Optional(
          oneOf(statuses, {
            description:
              'The one that you keep. With it a consent whose end the store of Trapeza has forgotten ends there again.',
          }),
        ),
      },
      strict,
    ),
    lane: 'consent',
    isSafe: true,
  },
} as const;
