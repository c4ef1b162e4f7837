/** What one person of the bank has proposed and another one decides, within a day. */
import { DAY, type RealTime } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import type { Settlement } from '../payment/remote/unresolved.js';
import type { Queries } from '../store/db.js';
import { flag, jsonColumn, members, optional, text } from '../store/json-column.js';

/** What cannot be taken back: the outcome of a payment, published figures, and a third party that is shut out without an end. */
export type ProposalAct = 'payment.settle' | 'statistics.publish' | 'tpp.suspend';

export interface Proposal {
  readonly id: string;
  readonly act: ProposalAct;
  /** Kind and id of the thing. */
  readonly subject: string;
  /** JSON. */
  readonly input: string;
  readonly reason: string | null;
  readonly proposedBy: string;
  readonly proposedAt: RealTime;
}

/** Each act has its own of these. */
export interface ProposalInput {
  readonly id?: string;
  readonly settlement?: Settlement;
  readonly quarter?: string;
  readonly timeZone?: string;
}

const optionalText = optional(text);
export const inputColumn = jsonColumn<ProposalInput>(
  'proposals.input',
  members({
    ...{ id: optionalText, quarter: optionalText, timeZone: optionalText },
    settlement: optional(members({ by: text, isForced: flag, outcome: members({ status: text }) })),
  }),
);

/** A shell and the console each have names of their own, but two people do not have one: who proposed as `cli:maria` is `operator:maria`. */
export const isSameName = (one: string, other: string): boolean => {
  const nameOf = (actor: string): string => actor.slice(actor.indexOf(':') + 1).toLowerCase();
  return nameOf(one) === nameOf(other);
};

/** Not done: another person has to confirm it. */
export class Proposed extends Error {
  constructor(act: ProposalAct) {
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

export const insertProposal = async (
  tx: Queries,
  { act, subject, input, reason, proposedBy, proposedAt }: Omit<Proposal, 'id'>,
): Promise<void> => {
  await tx.run(INSERT_PROPOSAL, [newId(), act, subject, input, reason, proposedBy, proposedAt]);
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
