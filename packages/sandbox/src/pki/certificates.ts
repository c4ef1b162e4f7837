/** The operations that give developers a certificate of the sandbox to sign with, and take it away again. */

import {
  fieldFault,
  fieldProblem,
  type Operation,
  operation,
  Problem,
  type Queries,
  type RealTime,
} from 'trapeza/base';
import { certificateOf, type PspRole, pemOf } from 'trapeza/certificates';
import { insertCertificate } from 'trapeza/extend';
import { type Static, Type } from 'typebox';
import { everyRole } from '../applications.js';
import { sandboxArea } from '../area.js';
import { keyPem, newKeyPair } from '../authority/authority.js';
import { CsrFault, keyOfCsr } from '../authority/csr.js';
import { findApplication } from '../own-applications.js';
import { demandNumber } from './number-proof.js';
import type { SandboxAuthority } from './sandbox-authority.js';

const open = { area: sandboxArea, headers: [], query: [], repeat: 'ignored' } as const;
const strict = { additionalProperties: false } as const;
const pspRoles: readonly PspRole[] = ['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC'];
const MAX_CSR = 12_000;

const oneOf = <T extends string>(...names: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...names] });

const CertificateRequest = Type.Object(
  {
    application: Type.Optional(
      Type.String({
        description: 'A clientId from /sandbox/credentials or of your own; the first one, if absent.',
      }),
    ),
    party: Type.Optional(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 64, pattern: '\\S', description: 'Its name.' }),
          registration: Type.String({
            pattern: '^PSD[A-Z]{2}-[A-Z]{2,8}-[A-Za-z0-9.-]{1,40}$',
            description: 'Its organizationIdentifier, such as PSDGR-BOG-77777.',
          }),
        },
        {
          ...strict,
          description:
            'A third party that nobody knows yet, to try POST /registration with; then no `application`. Once it is registered, more certificates need the key of an earlier one.',
        },
      ),
    ),
    use: Type.Optional(oneOf('seal', 'web')),
    roles: Type.Optional(Type.Array(oneOf(...pspRoles), { minItems: 1, maxItems: 4, uniqueItems: true })),
    csr: Type.Optional(
      Type.String({
        maxLength: MAX_CSR,
        description:
          'A certificate request (PKCS #10) for a key of your own, PEM or base64. Without it a key is made for you.',
      }),
    ),
    proof: Type.Optional(
      Type.String({
        maxLength: 2048,
        description:
          'For a number that is registered already, and a new key: base64 of a signature (SHA-256) over the text of `csr`, by the key of an earlier certificate of that number.',
      }),
    ),
    key: Type.Optional(oneOf('rsa', 'ec')),
  },
  {
    ...strict,
    description:
      'All members may be left out. `use`: `seal` signs requests, `web` is for TLS; `roles`: those of the application, if absent; others may be asked for, to see them refused.',
  },
);

const CertificateResponse = Type.Object(
  {
    serial: Type.String({ description: 'Hexadecimal.' }),
    certificate: Type.String({ description: 'PEM.' }),
    header: Type.String({ description: 'The value of TPP-Signature-Certificate: base64 of the DER form.' }),
    chain: Type.Array(Type.String(), { description: 'The issuing authority, PEM.' }),
    privateKey: Type.Optional(Type.String({ description: 'PKCS #8 in PEM, where no request was sent.' })),
  },
  strict,
);

const keysOf = async ({ csr, key = 'rsa' }: Static<typeof CertificateRequest>) => {
  if (csr === undefined) {
    const { publicKey, privateKey } = await newKeyPair(key);
    return { publicKey, privateKey: keyPem(privateKey) };
  }
  try {
    return { publicKey: keyOfCsr(csr) };
  } catch (error) {
    throw error instanceof CsrFault
      ? fieldProblem('csr', fieldFault('format', error.message, { format: 'csr' }))
      : error;
  }
};

interface CertificateParts {
  readonly authority: SandboxAuthority;
  readonly db: Queries;
  readonly now: () => RealTime;
}

const holderOf = async (db: Queries, { application, party }: Static<typeof CertificateRequest>) => {
  if (!party) return findApplication(db, application);
  if (application !== undefined)
    throw fieldProblem('party', fieldFault('conflict', 'is instead of application', { with: 'application' }));
  return { clientId: '', tppName: party.name, registration: party.registration, roles: everyRole };
};

const createCertificate = ({ authority, db, now }: CertificateParts): Operation =>
  operation({
    ...open,
    params: [],
    id: 'createSandboxCertificate',
    method: 'POST',
    path: '/sandbox/pki/certificates',
    summary: 'Get a certificate to sign with',
    description:
      'A QSealC or QWAC of the sandbox, for a demo application or one of your own. Its authority is on /sandbox/pki/root.pem and issuing.pem; revocation is answered by /sandbox/pki/ocsp and /sandbox/pki/crl.',
    body: CertificateRequest,
    problems: ['state-conflict'],
    isBodyOptional: true,
    bodyExample: { application: 'demo-finance-app', use: 'seal', roles: ['PSP_AI', 'PSP_PI'] },
    success: {
      status: 200,
      description: 'The certificate.',
      schema: CertificateResponse,
      example: {
        serial: '5d8c72a5edda8d6a',
        certificate: '-----BEGIN CERTIFICATE-----\nMII…\n-----END CERTIFICATE-----\n',
        header: 'MII…',
        chain: ['-----BEGIN CERTIFICATE-----\nMII…\n-----END CERTIFICATE-----\n'],
        privateKey: '-----BEGIN PRIVATE KEY-----\nMII…\n-----END PRIVATE KEY-----\n',
      },
    },
    async handle({ body }) {
      const application = await holderOf(db, body);
      const { publicKey, ...more } = await keysOf(body);
      const { use = 'seal', roles = application.roles } = body;
      const { registration } = application;
      const isByNumber = body.party !== undefined;
      const { csr, proof } = body;
      const tppId = await demandNumber(db, { registration, isByNumber, publicKey, csr, proof });
      const { serial, der, issuing } = await authority.issue({ application, use, roles, publicKey });
      if (tppId !== undefined) await insertCertificate(db, tppId, certificateOf(der), use, now());
      return {
        status: 200,
        body: {
          serial: serial.toString(16),
          certificate: pemOf(der),
          header: der.toString('base64'),
          chain: [pemOf(issuing)],
          ...more,
        },
      };
    },
  });

const revokeCertificate = ({ authority }: CertificateParts): Operation =>
  operation({
    ...open,
    id: 'revokeSandboxCertificate',
    method: 'DELETE',
    path: '/sandbox/pki/certificates/:serial',
    params: [
      { name: 'serial', description: 'Number of the certificate, hexadecimal.', schema: { type: 'string' } },
    ],
    summary: 'Revoke a certificate',
    description:
      'Its requests are refused as soon as the last answer about it has run out, which takes five minutes at most.',
    success: { status: 204, description: 'Done.' },
    async handle({ params }) {
      const isKnown = await authority.revoke((params.serial ?? '').toLowerCase());
      if (!isKnown) throw new Problem('resource-not-found');
      return { status: 204 };
    },
  });

export const createCertificateControls = (parts: CertificateParts): readonly Operation[] =>
  [createCertificate, revokeCertificate].map((control) => control(parts));
