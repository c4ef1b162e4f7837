/** What one person of the bank has proposed and another one decides, within a day. */

import { storedText } from '../audit/audit-log.js';
import { DAY, type RealTime } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import type { Queries } from '../store/db.js';
import { jsonColumn, members, text } from '../store/json-column.js';
import { extensionOf } from '../store/migrate.js';
import type { AnyAct, Context } from './act.js';

export interface Proposal {
  readonly id: string;
  readonly act: AnyAct['name'];
  /** Kind and id of the thing. */
  readonly subject: string;
  /** JSON. */
  readonly input: string;
  readonly reason: string | null;
  readonly proposedBy: string;
  readonly proposedAt: RealTime;
}

/** The thing that the act is about, and the fields of the act. */
export interface ProposalInput {
  readonly id: string;
  readonly [field: string]: unknown;
}

export const inputColumn = jsonColumn<ProposalInput>('proposals.input', members({ id: text }));

/** A shell and the console each have names of their own, but two people do not have one: who proposed as `cli:maria` is `operator:maria`. */
export const isSameName = (one: string, other: string): boolean => {
  const nameOf = (actor: string): string => actor.slice(actor.indexOf(':') + 1).toLowerCase();
  return nameOf(one) === nameOf(other);
};

/** Not done: another person has to confirm it. */
export class Proposed extends Error {
  constructor(act: AnyAct['name']) {
    super(
      `${act} needs two people: it is proposed, and another operator confirms it in the console within a day`,
    );
  }
}

const OPEN_MS = DAY;
const INSERT_PROPOSAL =
  'insert into proposals (id, act, subject, input, reason, proposed_by, proposed_at) values (?, ?, ?, ?, ?, ?, ?)';
const COLUMNS = 'id, act, subject, input, reason, proposed_by as "proposedBy", proposed_at as "proposedAt"';
const OPEN = `select ${COLUMNS} from proposals where decision is null and proposed_at > ? order by proposed_at limit 200`;
const ONE_OPEN = `select ${COLUMNS} from proposals where id = ? and decision is null and proposed_at > ?`;
const DECIDE = `
  update proposals set decision = ?, decided_by = ?, decided_at = ?
  where id = ? and decision is null and proposed_at > ?`;

/**
 * For an act that cannot be taken back: throws `Proposed` unless another person has proposed it, or the bank has switched this off.
 * Programs decide for themselves.
 */
export const demandSecond = async (
  { db, audit, clock, config, by, isConfirmed = false }: Omit<Context, 'bankTime'>,
  { act, subject, input }: Pick<Proposal, 'act' | 'subject'> & { readonly input: ProposalInput },
): Promise<void> => {
  if (isConfirmed || by === undefined) return;
  const needed = config.twoPeople ?? ((await extensionOf(db)) === undefined ? 'on' : 'off');
  if (needed === 'off') return;
  await db.transaction(async (tx) => {
    const now = clock.now();
    const reason = by.reason === undefined ? null : storedText(by.reason);
    await tx.run(INSERT_PROPOSAL, [newId(), act, subject, inputColumn.write(input), reason, by.actor, now]);
    await audit.append(tx, { ...by, act: 'proposal.make', subject, details: { act, ...input } }, now);
  });
  throw new Proposed(act);
};

export const openProposals = (db: Queries, now: RealTime): Promise<Proposal[]> =>
  db.all<Proposal>(OPEN, [now - OPEN_MS]);

export const openProposal = (db: Queries, id: string, now: RealTime): Promise<Proposal | undefined> =>
  db.one<Proposal>(ONE_OPEN, [id, now - OPEN_MS]);

/** False if it was decided meanwhile, or is too old. */
export const decideProposal = async (
  tx: Queries,
  id: string,
  { decision, by }: { readonly decision: 'confirmed' | 'refused'; readonly by: string },
  now: RealTime,
): Promise<boolean> => (await tx.run(DECIDE, [decision, by, now, id, now - OPEN_MS])) === 1;
