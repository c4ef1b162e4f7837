/** What the operations of a registration share: whose it is, its row of the audit log, and what the register refuses. */
import type { AuditLog } from '../../audit/audit-log.js';
import { certificateOf } from '../../certificate/certificate.js';
import type { Call } from '../../http/operation.js';
import type { Clock } from '../../lib/clock.js';
import type { Registrant } from '../../model/caller.js';
import type { ClientId } from '../../model/ids.js';
import { fieldFault } from '../../problem/field.js';
import { fieldProblem, Problem } from '../../problem/problem.js';
import type { Queries } from '../../store/db.js';
import { findRegistered, type RegisteredApplication } from '../../tpp/registration.js';
import { RegistryError } from '../../tpp/registry.js';

export const registrantOf = ({ registrant }: Pick<Call, 'registrant'>): Registrant => {
  if (!registrant) throw new Error('the certificate must be checked first');
  return registrant;
};

/** Unknown and foreign ones look the same. */
export const found = async (db: Queries, call: Call): Promise<RegisteredApplication> => {
  const row = await findRegistered(db, registrantOf(call), call.params.clientId ?? '');
  if (!row) throw new Problem('resource-not-found');
  return row;
};

export const demandUse = ({ tppStatus, status, waitingSince }: RegisteredApplication): void => {
  if (tppStatus !== 'active' || (status !== 'active' && waitingSince === null))
    throw new Problem('access-blocked');
};

type RegistrationAct = 'register' | 'change' | 'remove' | 'secret';

/** Last in the transaction of the act. */
export const audit = (
  tx: Queries,
  { clock, audit: log }: { readonly clock: Clock; readonly audit: AuditLog },
  { certificate, registration, use }: Registrant,
  [act, clientId]: readonly [RegistrationAct, ClientId],
  details: object = {},
): Promise<void> =>
  log.append(
    tx,
    {
      actor: `third-party:${registration}`,
      act: `registration.${act}`,
      subject: `application:${clientId}`,
      details: { ...details, use, fingerprint: certificateOf(certificate).fingerprint },
    },
    clock.now(),
  );

/** What the register still refuses is the profile. */
export const fitting = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const message =
      'must fit FAPI 2.0: bound tokens, a key for PS256 or ES256 if there are keys, and https redirect addresses';
    throw fieldProblem(
      'token_endpoint_auth_method',
      fieldFault('conflict', message, { with: 'redirect_uris' }),
    );
  }
};
