/**
 * Calls of third parties that have nothing but their qualified certificate: that of the TLS connection, that of a signed request, or
 * both, then of one organisation. The address is counted before anything is verified, the third party once it is known: an unverified
 * certificate may name anybody, so it must not use up the calls of another third party.
 */
import { type Certificate, readCertificate } from '../certificate/certificate.js';
import { type CertificateUse, organisationFault } from '../certificate/checks.js';
import type { Exchange } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';
import { sha256 } from '../lib/hash.js';
import type { Registrant } from '../model/caller.js';
import { Problem } from '../problem/problem.js';
import { refusalOf as signatureRefusal } from '../signature/refusal.js';
import type { CredentialParts } from './credentials.js';
import { certificateProblem, judge, presentedIn, refusalOf, type SenderParts } from './sender.js';
import { createExamine, type SignatureParts } from './signature.js';

export type RegistrantParts = Pick<CredentialParts, 'limits' | 'guard'> &
  Pick<SenderParts, 'clientCertificates'> &
  Pick<SignatureParts, 'signatures'> & {
    /** Whether the issuer of a verified certificate has checked whose it is. */
    readonly isVouched: (certificate: Certificate) => Promise<boolean>;
  };

export const checkRegistrationLimit =
  ({ guard }: RegistrantParts) =>
  (exchange: Exchange): void =>
    guard.register(exchange);

/** As strict as a signature can be: method, path, time, X-Request-ID and body are signed, whatever the policy of the bank. */
const verifiedSeal = async (
  examine: ReturnType<typeof createExamine>,
  exchange: Exchange,
): Promise<Certificate | undefined> => {
  const { headers } = exchange;
  if (!headers.signature) return undefined;
  const { failure } = await examine(exchange, 'strict');
  if (failure) throw signatureRefusal(failure);
  return readCertificate(headers['tpp-signature-certificate'] ?? '');
};

const verifiedClient = async (
  { clientCertificates }: RegistrantParts,
  exchange: Exchange,
): Promise<Certificate | undefined> => {
  const presented = presentedIn(clientCertificates, exchange);
  if (!presented) return undefined;
  judge(await clientCertificates.verify(presented, {}));
  return presented.certificate;
};

const registrantOf = (certificate: Certificate, use: CertificateUse, isVouched: boolean): Registrant => {
  const registration = certificate.organizationIdentifier ?? '';
  const fault = organisationFault(certificate, registration);
  if (fault) throw refusalOf(fault);
  const roles = certificate.psd2?.roles.filter((role) => role !== 'PSP_AS') ?? [];
  if (roles.length === 0)
    throw new Problem('role-not-permitted', {
      detail: 'The certificate has none of the roles PSP_IC, PSP_AI and PSP_PI.',
    });
  return { registration, roles, use, certificate: certificate.raw, isVouched };
};

/** Whom limits and the memory of request ids know it by: not one name for all who have a certificate in that name. */
const nameOf = ({ registration, isVouched }: Registrant, { publicKey }: Certificate): string =>
  isVouched
    ? registration
    : `${registration} ${sha256(publicKey.export({ type: 'spki', format: 'der' }).toString('base64')).slice(0, 32)}`;

export const checkRegistrant = (operation: Operation, parts: RegistrantParts) => {
  const examine = createExamine(operation, parts);
  return async (exchange: Exchange): Promise<void> => {
    const client = await verifiedClient(parts, exchange);
    const seal = await verifiedSeal(examine, exchange);
    const certificate = seal ?? client;
    if (!certificate || (parts.clientCertificates.isRequired && !client))
      throw certificateProblem(
        'CERTIFICATE_MISSING',
        'The call must be made with a client certificate (QWAC), or be signed with a QSealC.',
      );
    const isVouched = await parts.isVouched(certificate);
    const registrant = registrantOf(certificate, seal ? 'seal' : 'web', isVouched);
    const other = client && organisationFault(client, registrant.registration);
    if (other) throw refusalOf(other);
    const name = nameOf(registrant, certificate);
    await parts.limits.registerAs(name);
    exchange.registrant = registrant;
    // The memory of request ids is kept by caller.
    exchange.caller = { clientId: `registrant ${name}`, psuId: '' };
  };
};
