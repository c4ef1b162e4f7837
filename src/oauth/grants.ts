/** The logins of a person that applications still hold, for the person who asks what is stored: that they exist, not what they open. */

import { SECOND } from '../lib/clock.js';
import type { ClientId, PsuId } from '../model/ids.js';
import type { Queries } from '../store/db.js';

export interface GrantTrace {
  readonly clientId: ClientId;
  readonly createdAt: number;
  readonly expiresAt: number;
}

const BATCH = 500;
const GRANTS = `
  select id_hash as "hash", payload, expires_at as "expiresAt" from oidc_records
  where kind = 'Grant' and id_hash > ? order by id_hash limit ?`;

interface GrantRow {
  readonly hash: string;
  readonly payload: string;
  readonly expiresAt: number;
}

interface GrantPayload {
  readonly accountId?: unknown;
  readonly clientId?: unknown;
  readonly iat?: unknown;
}

/** The place of a record's own id is marked by a character that JSON cannot have. */
const payloadOf = ({ payload }: GrantRow): GrantPayload =>
  JSON.parse(payload.replaceAll('\u0001', '')) as GrantPayload;

/** Grants are not kept by person, so all are looked through, a batch at a time. */
export async function* eachGrantOf(db: Queries, psuId: PsuId): AsyncGenerator<GrantTrace, void, undefined> {
  let after = '';
  for (;;) {
    const rows = await db.all<GrantRow>(GRANTS, [after, BATCH]);
    for (const row of rows) {
      const { accountId, clientId, iat } = payloadOf(row);
      if (accountId === psuId)
        yield { clientId: String(clientId), createdAt: Number(iat) * SECOND, expiresAt: row.expiresAt };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.hash;
  }
}
