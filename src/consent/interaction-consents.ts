/**
 * Consents that began within an authorization: each belongs to one interaction, and no interaction has two. The store knows
 * the interaction by the hash of its id alone.
 */
import type { ClientId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import type { Consent } from './record.js';

const BIND = 'update consents set interaction_uid = ? where id = ? and client_id = ?';
const FIND = `
  select id, psu_id as "psuId", status, created_at as "createdAt", expires_at as "expiresAt"
  from consents where interaction_uid = ? and client_id = ?`;

export const bindToInteraction = async (
  tx: Queries,
  { id, clientId }: Pick<Consent, 'id' | 'clientId'>,
  hash: string,
): Promise<void> => {
  await tx.run(BIND, [hash, id, clientId]);
};

export type InteractionConsent = Pick<Consent, 'id' | 'psuId' | 'status' | 'createdAt' | 'expiresAt'>;

export const findInteractionConsent = (
  db: Queries,
  hash: string,
  clientId: ClientId,
): Promise<InteractionConsent | undefined> => db.one<InteractionConsent>(FIND, [hash, clientId]);
