/** What creating and reading a consent answers, in all three areas. */
import { type TSchema, Type } from 'typebox';
import { consentKinds, consentStatuses } from '../../consent/record.js';
import { nullableText, oneOf } from '../schema.js';

const Link = Type.Object({ href: Type.String() }, { additionalProperties: false });

export const ConsentStatusResponse = Type.Object(
  { status: oneOf(consentStatuses, 'Overall lifecycle status of the consent.') },
  { additionalProperties: false },
);

export const CreatedConsent = Type.Object(
  {
    consentId: Type.String({ description: 'Id of the consent.' }),
    consentStatus: oneOf(consentStatuses, 'Received, until the account holder has decided.'),
    expirationDate: Type.Optional(nullableText('The last day, where the bank has set or shortened it.')),
    _links: Type.Object(
      { self: Link, status: Link, scaRedirect: Link },
      { additionalProperties: false, description: 'scaRedirect is where the account holder decides.' },
    ),
  },
  { additionalProperties: false },
);

/** The record of a consent with the details of its kind. */
export const consentRecord = (details: TSchema) =>
  Type.Object(
    {
      type: Type.Optional(oneOf(consentKinds, 'Kind of the consent.')),
      id: Type.Optional(nullableText('The consent id.')),
      tpp: Type.Optional(nullableText('Client that requested the consent.')),
      createdDate: Type.Optional(Type.String({ format: 'date-time', description: 'Creation date.' })),
      consentStatus: oneOf(consentStatuses, 'Overall lifecycle status of the consent.'),
      details: Type.Optional(details),
    },
    { additionalProperties: false },
  );
