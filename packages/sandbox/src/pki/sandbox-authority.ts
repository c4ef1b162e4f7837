/**
 * The sandbox's own authority: made with the first certificate, kept in the store with its keys sealed, so that all processes of
 * a sandbox have the same one.
 */
import type { KeyObject } from 'node:crypto';
import type { Clock, Db, Eventual, Queries, SealedKind, Vault } from 'trapeza/base';
import {
  type CertificateUse,
  certificateOf,
  type PspRole,
  type Trust,
  type TrustSet,
  trustSet,
} from 'trapeza/certificates';
import { type AuthorityRecord, createAuthority, TestAuthority } from '../authority/authority.js';
import type { IssuedState } from '../authority/responder.js';
import type { KnownApplication } from '../own-applications.js';

export const PKI_PATH = '/sandbox/pki';

export interface SandboxAuthorityParts {
  readonly db: Db;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly site: { readonly baseUrl: string };
}

export interface SandboxWish {
  readonly application: Pick<KnownApplication, 'clientId' | 'tppName' | 'registration'>;
  readonly use: CertificateUse;
  readonly roles: readonly PspRole[];
  readonly publicKey: KeyObject;
}

const READ = `select sealed from sandbox_authority where name = 'authority'`;
const INSERT_AUTHORITY = `insert into sandbox_authority (name, sealed) values ('authority', ?) on conflict (name) do nothing`;
const INSERT_CERTIFICATE =
  'insert into sandbox_certificates (serial, client_id, use, issued_at) values (?, ?, ?, ?)';
const REVOKE = 'update sandbox_certificates set revoked_at = coalesce(revoked_at, ?) where serial = ?';
const ISSUED =
  'select serial, revoked_at as "revokedAt" from sandbox_certificates order by issued_at desc limit 5000';

const RESEAL = `update sandbox_authority set sealed = ? where name = 'authority' and sealed = ?`;

const PLACE = 'sandbox-authority';

export const authorityRows: SealedKind = {
  name: 'authority of the sandbox',
  read: async (db, { after }) => {
    const row = after === '' ? await db.one<{ sealed: string }>(READ) : undefined;
    return row ? [{ id: PLACE, sealed: row.sealed, place: PLACE }] : [];
  },
  write: async (tx, { sealed: before }, sealed) => (await tx.run(RESEAL, [sealed, before])) === 1,
};

const nobody = trustSet([]);

export class SandboxAuthority implements Trust {
  readonly #parts: SandboxAuthorityParts;
  #authority: TestAuthority | undefined;
  #trust: TrustSet | undefined;

  constructor(parts: SandboxAuthorityParts) {
    this.#parts = parts;
  }

  async #read(db: Queries): Promise<TestAuthority | undefined> {
    const { vault, site } = this.#parts;
    const row = await db.one<{ sealed: string }>(READ);
    if (!row) return undefined;
    const record = JSON.parse(vault.open(row.sealed, PLACE)) as AuthorityRecord;
    // The service may have moved to another port since.
    this.#authority = new TestAuthority({ ...record, baseUrl: `${site.baseUrl}${PKI_PATH}` });
    return this.#authority;
  }

  /** Of several processes that make it at once, one is kept. */
  async authority(): Promise<TestAuthority> {
    const { db, vault, clock, site } = this.#parts;
    const known = this.#authority ?? (await this.#read(db));
    if (known) return known;
    const record = await createAuthority(`${site.baseUrl}${PKI_PATH}`, clock.now());
    await db.run(INSERT_AUTHORITY, [vault.seal(JSON.stringify(record), PLACE)]);
    const kept = await this.#read(db);
    if (!kept) throw new Error('the authority of the sandbox was not kept');
    return kept;
  }

  /** Both its certificates, so that nothing depends on the address that the issuing one was made with. */
  current(): Eventual<TrustSet> {
    if (this.#trust) return this.#trust;
    return this.#trusted();
  }

  async #trusted(): Promise<TrustSet> {
    const authority = this.#authority ?? (await this.#read(this.#parts.db));
    // Not made yet: it has issued no certificate.
    if (!authority) return nobody;
    this.#trust = trustSet([certificateOf(authority.root), certificateOf(authority.issuing)]);
    return this.#trust;
  }

  async issue({ application, use, roles, publicKey }: SandboxWish) {
    const { db, clock } = this.#parts;
    const authority = await this.authority();
    const { tppName: name, registration, clientId } = application;
    const issued = authority.issue({ use, name, registration, roles, publicKey }, clock.now());
    await db.run(INSERT_CERTIFICATE, [issued.serial.toString(16), clientId, use, clock.now()]);
    return { ...issued, issuing: authority.issuing };
  }

  async revoke(serial: string): Promise<boolean> {
    const { db, clock } = this.#parts;
    return (await db.run(REVOKE, [clock.now(), serial])) > 0;
  }

  async issued(): Promise<readonly IssuedState[]> {
    const rows = await this.#parts.db.all<{ serial: string; revokedAt: number | null }>(ISSUED);
    return rows.map(({ serial, revokedAt }) => ({
      serial: BigInt(`0x${serial}`),
      revokedAt: revokedAt ?? undefined,
    }));
  }
}
