/** What creating and reading a consent answers, in all three areas. */
import { type TSchema, Type } from 'typebox';
import { reasonTexts } from '../../consent/reason.js';
import { consentKinds, consentStatuses, statusReasons } from '../../consent/record.js';
import { LinkSchema, nullableText, oneOf, someOf } from '../schema.js';

export const ConsentStatusResponse = Type.Object(
  { status: oneOf(consentStatuses, 'Overall lifecycle status of the consent.') },
  { title: 'ConsentStatus', additionalProperties: false },
);

export const CreatedConsent = Type.Object(
  {
    consentId: Type.String({ description: 'Id of the consent.' }),
    consentStatus: oneOf(consentStatuses, 'Received, until the account holder has decided.'),
    expirationDate: Type.Optional(
      nullableText('The last day, in the time zone of the bank, if the bank has set or shortened it.'),
    ),
    _links: Type.Object(
      { self: LinkSchema, status: LinkSchema, scaRedirect: LinkSchema },
      { additionalProperties: false, description: 'scaRedirect is where the account holder decides.' },
    ),
  },
  { title: 'CreatedConsent', additionalProperties: false },
);

export const StatusReasonSchema = someOf(
  statusReasons,
  `Why the consent has ended: ${statusReasons.map((reason) => `\`${reason}\`, ${reasonTexts[reason]}`).join('; ')}.`,
);
export const SupersededBySchema = Type.String({
  format: 'uuid',
  description: 'The newer consent that took its place, if the reason is superseded.',
});
export const ScaValidUntilSchema = Type.String({
  format: 'date-time',
  description:
    'Until when account data can be read without a new authentication: 180 days after the last one, or the end of the consent, if that is sooner. A renewal moves the former; after the end of the consent only a new consent helps. Absent at a bank that applies the PSR: there you authenticate your user yourself every 180 days.',
});

const whenApproved = {
  approvedDate: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the account holder approved it; absent before.' }),
  ),
};
const whyEnded = {
  statusReason: Type.Optional(StatusReasonSchema),
  supersededBy: Type.Optional(SupersededBySchema),
};

/** What our own records have beyond that of the contract, which the payment consent keeps to. */
export const accessStanding = {
  ...whenApproved,
  scaValidUntil: Type.Optional(ScaValidUntilSchema),
  ...whyEnded,
};
export const fundsStanding = { ...whenApproved, statusReason: whyEnded.statusReason };

/** The record of a consent with the details of its kind. */
export const consentRecord = (details: TSchema, standing: Readonly<Record<string, TSchema>> = {}) =>
  Type.Object(
    {
      type: Type.Optional(oneOf(consentKinds, 'Kind of the consent.')),
      id: Type.Optional(nullableText('The consent id.')),
      tpp: Type.Optional(nullableText('Client that requested the consent.')),
      createdDate: Type.Optional(Type.String({ format: 'date-time', description: 'Creation date.' })),
      consentStatus: oneOf(consentStatuses, 'Overall lifecycle status of the consent.'),
      ...standing,
      details: Type.Optional(details),
    },
    { additionalProperties: false },
  );
