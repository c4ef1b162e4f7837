/** Who may call: the directory of keys, the tokens, the limits, the memory of request ids, the sessions of account holders. */
import { createLimits, openQuotas } from '../gate/limits/limits.js';
import { RequestIds } from '../gate/request-ids.js';
import { clientAddress } from '../gate/source.js';
import { localKeys, remoteKeys, type TokenRealm, TokenVerifier } from '../oauth/access-token.js';
import { Revocations } from '../oauth/revocations.js';
import { type KeyPurpose, SigningKeys } from '../oauth/signing-keys.js';
import { appAsked, codesSent, codesTried } from '../psu/code-rules.js';
import { LastMethods } from '../psu/last-methods.js';
import { SentCodes } from '../psu/sent-codes.js';
import { Sessions } from '../psu/sessions.js';
import { SignatureVerifier } from '../signature/verify.js';
import { keepKeys } from '../store/kept-keys.js';
import { RecentTimes } from '../store/recent-times.js';
import { type BlockListener, Directory } from '../tpp/directory.js';
import { openBinding } from './binding.js';
import { openCertificates, vouching } from './certificates.js';
import type { Foundation } from './foundation.js';
import type { Closers } from './options.js';
import { demandNone, keptKeyFaults, signingFaults } from './start-checks.js';

/** A test system lets everybody in who has a certificate. */
export const registrationOf = ({ config, isTest }: Foundation) =>
  config.registration ?? (isTest ? 'auto' : 'off');

const blockLog =
  ({ log }: Foundation): BlockListener =>
  (fingerprint, isBlocked) =>
    log.warn(
      { fingerprint },
      isBlocked ? 'certificate blocked by the bank' : 'certificate no longer blocked',
    );

/** A node that cannot sign would answer 500 to every login, now or as soon as the next key is due: it does not start. */
const openKeys = async ({ db, vault, clock }: Foundation, purpose: KeyPurpose): Promise<SigningKeys> => {
  const keys = new SigningKeys(db, vault, clock, purpose);
  await keys.ensure();
  demandNone(await signingFaults(keys, purpose));
  return keys;
};

/** An id of an account that changed would cut third parties off from what they know. */
const openKeptKeys = async ({ db, vault }: Foundation): Promise<void> => {
  await keepKeys(db, vault);
  demandNone(await keptKeyFaults(db, vault));
};

export const openAccess = async (base: Foundation, closers: Closers) => {
  const { continuity, config, clock, db, vault, site, bankTime } = base;
  const bankClock = { now: bankTime };
  const directoryOptions = { fapi2Only: config.fapi2Only === 'on', onBlock: blockLog(base) };
  const directory = closers.add(new Directory(db, clock, directoryOptions), (each) => each.close());
  await directory.refresh();
  const keys = await openKeys(base, 'token');
  const webhookKeys = await openKeys(base, 'webhook');
  await openKeptKeys(base);
  const realm = (): TokenRealm => ({
    issuer: config.issuer ?? site.baseUrl,
    audience: config.audience ?? site.baseUrl,
  });
  const jwksUri = config.jwksUri ?? (config.issuer && `${config.issuer}/.well-known/jwks.json`);
  const revocations = closers.add(new Revocations(db, clock), (each) => each.close());
  const tokens = new TokenVerifier(jwksUri ? remoteKeys(jwksUri, clock) : localKeys(keys), realm, clock, {
    names: { clientId: config.claimClientId, scope: config.claimScope, psu: config.claimPsu },
    ...(config.issuer ? {} : { revocations, notBefore: () => continuity?.acceptedAt ?? 0 }),
  });
  const limits = closers.add(createLimits(config, openQuotas(db, clock), clock), (each) => each.close());
  const certificates = await openCertificates(base, () => directory.blockedCertificates());
  return {
    directory,
    keys,
    webhookKeys,
    realm,
    revocations,
    tokens,
    limits,
    addressOf: clientAddress(config.trustedProxies),
    requestIds: new RequestIds(db, clock),
    sessions: new Sessions(db, clock),
    codesTried: new RecentTimes(db, bankClock, codesTried),
    appAsked: new RecentTimes(db, clock, appAsked),
    codesSent: {
      approval: new RecentTimes(db, bankClock, codesSent('approval', config.codesPerPerson)),
      dashboard: new RecentTimes(db, bankClock, codesSent('dashboard', config.codesPerPerson)),
    },
    sentCodes: new SentCodes(db, clock, vault),
    lastMethods: new LastMethods(db, clock),
    certificates,
    isVouched: vouching(base),
    signatures: closers.add(new SignatureVerifier({ certificates, clock, site }), (each) => each.close()),
    ...(await openBinding(base, certificates)),
  };
};

export type AccessRooms = Awaited<ReturnType<typeof openAccess>>;
