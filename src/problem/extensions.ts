/**
 * What a program reads in `extensions` of an error body: each member by its schema. The type of what may be thrown, the OpenAPI
 * document, the client and the pages all follow from these.
 */
import { type Static, Type } from 'typebox';
import { type Advice, advices } from './advice.js';
import { type FieldCode, fieldCodes } from './field.js';

const text = (description: string) => Type.String({ description });
const uri = (description: string) => Type.String({ format: 'uri', description });
const moment = (description: string) => Type.String({ format: 'date-time', description });

const AdviceSchema = Type.Unsafe<Advice>({
  type: 'string',
  title: 'Advice',
  enum: Object.keys(advices),
  description: 'What a client does. The list is closed.',
});

const FieldFaultSchema = Type.Object(
  {
    code: Type.Unsafe<FieldCode>({
      type: 'string',
      enum: Object.keys(fieldCodes),
      isExtensible: true,
      description: 'What is wrong.',
    }),
    expected: Type.Optional(Type.Array(Type.String(), { description: 'The right types.' })),
    format: Type.Optional(text('The name of the format.')),
    nearest: Type.Optional(text('The name that was probably meant.')),
    allowed: Type.Optional(Type.Array(Type.String(), { description: 'The allowed values.' })),
    min: Type.Optional(Type.Number({ description: 'The least value, length or number of entries.' })),
    max: Type.Optional(Type.Number({ description: 'The greatest value, length or number of entries.' })),
    above: Type.Optional(Type.Number({ description: 'It must be more than this.' })),
    digits: Type.Optional(Type.Integer({ description: 'The most digits.' })),
    from: Type.Optional(text('The first day.')),
    to: Type.Optional(text('The last day.')),
    with: Type.Optional(text('The part of the request that it does not fit.')),
  },
  { title: 'FieldFault', description: 'What is wrong with a member, header or parameter, for programs.' },
);

/** The statuses of the interface document. */
const statuses = ['Received', 'Rejected', 'Valid', 'RevokedByPsu', 'Expired', 'TerminatedByTpp'] as const;

/** In every error body. */
const always = {
  error: Type.Object(
    {
      code: text('The message code.'),
      retryable: Type.Boolean({
        description: 'Whether the same request can succeed. Then there is a Retry-After.',
      }),
      advice: AdviceSchema,
    },
    { description: 'What happened and what to do about it, for programs.' },
  ),
};

/** In every 400 that has `errors`. */
const ofFields = {
  errors: Type.Unsafe<Readonly<Record<string, readonly Static<typeof FieldFaultSchema>[]>>>({
    type: 'object',
    additionalProperties: Type.Array(FieldFaultSchema),
    description: 'A code for each sentence of the member `errors`: the same names, in the same order.',
  }),
};

/** In the problems whose entries in the catalogue name them. */
const ofKinds = {
  access: Type.Object(
    {
      kind: text('The kind of data.'),
      limit: Type.Integer({ description: 'Reads in 24 hours without the account holder.' }),
      retryAt: Type.Optional(
        moment('When it can be read again. Absent if it is a one-off consent: waiting does not help.'),
      ),
    },
    { description: 'What has been read too often.' },
  ),
  consent: Type.Object(
    {
      status: Type.Unsafe<(typeof statuses)[number]>({
        type: 'string',
        enum: [...statuses],
        description: 'Its status.',
      }),
      statusReason: Type.Optional(text('Why it has ended, as reading the consent says it.')),
      supersededBy: Type.Optional(
        Type.String({ format: 'uuid', description: 'The newer consent that took its place.' }),
      ),
      scaValidUntil: Type.Optional(moment('When its authentication ended.')),
      missingPermissions: Type.Optional(
        Type.Unsafe<readonly string[]>({
          type: 'array',
          items: { type: 'string' },
          description: 'One of these permissions is needed.',
        }),
      ),
    },
    { description: 'The consent, if there is one.' },
  ),
  history: Type.Object(
    {
      dateFrom: Type.Optional(
        Type.String({
          format: 'date',
          description:
            'The first day that can be read without an authentication. Absent if all days are older.',
        }),
      ),
    },
    { description: 'The history that is open.' },
  ),
  openConsents: Type.Object(
    {
      kind: text('The kind of the consents.'),
      limit: Type.Integer({ description: 'How many may be open.' }),
    },
    { description: 'The consents that wait for the account holder.' },
  ),
  payment: Type.Object(
    {
      paymentId: Type.Optional(text('The order, if it is known already.')),
      href: uri('Where it can be read.'),
    },
    { description: 'The payment order that is there.' },
  ),
  registration: Type.Object(
    {
      client_id: text('The application.'),
      registration_client_uri: uri('Where it is read and changed.'),
    },
    { description: 'The application that is registered already.' },
  ),
  signature: Type.Object(
    { failed: text('The name of the check.') },
    { description: 'The first check of the signature that failed.' },
  ),
  _links: Type.Object(
    {
      startAuthorisation: Type.Object(
        { href: uri('The address.') },
        { description: 'POST here, and send the account holder to the scaRedirect of the answer.' },
      ),
    },
    { description: 'Ways on.' },
  ),
};

export type ExtensionName = keyof typeof ofKinds;

interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
}

/** What it has, for people. */
const meaningOf = ({ description = '', properties = {} }: Described): string =>
  [
    description,
    ...Object.entries(properties).map(([name, member]) => `\`${name}\`: ${member.description ?? ''}`),
  ].join(' ');

/** By name, for people. */
export const extensionMeanings = Object.fromEntries(
  Object.entries(ofKinds).map(([name, schema]) => [name, meaningOf(schema as Described)]),
) as Readonly<Record<ExtensionName, string>>;

export const extensionNames = Object.keys(ofKinds) as readonly ExtensionName[];

/** What a room may say beside the kind of the problem. Code and advice follow from the kind, the codes of members from their faults. */
export type ThrownExtensions = {
  readonly [Name in ExtensionName]?: Static<(typeof ofKinds)[Name]>;
};

export const extensionSchemas = { ...always, ...ofFields, ...ofKinds } as const;

/**
 * A map of name to object, as the interface has it. Not `additionalProperties`: generators make an index signature of that, which
 * optional members do not fit.
 */
export const ExtensionsSchema = {
  type: ['object', 'null'],
  title: 'Extensions',
  required: Object.keys(always),
  properties: extensionSchemas,
  unevaluatedProperties: { type: 'object' },
  readOnly: true,
  description: 'Facts for programs, by name.',
};
