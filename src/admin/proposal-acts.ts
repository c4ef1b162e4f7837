/** Acts that need two people: one proposes, another one confirms in the console or refuses. */
import type { AnyAct } from '../acts/act.js';
import {
  decideProposal,
  inputColumn,
  isSameName,
  openProposal,
  openProposals,
  type Proposal,
} from '../acts/proposals.js';
import { mayAct, SYSTEM } from '../acts/role.js';
import { runAct } from '../acts/run-act.js';
import { RegistryError } from '../tpp/registry.js';
import type { ActParts } from './act-methods.js';
import { actNamed } from './derived.js';
import { StoreActs } from './store-acts.js';

export class ProposalActs extends StoreActs {
  readonly #parts: ActParts;

  constructor(parts: ActParts) {
    super(parts);
    this.#parts = parts;
  }

  /** What waits for a second person. */
  proposals(): Promise<readonly Proposal[]> {
    return openProposals(this.db, this.#parts.clock.now());
  }

  /** Does what another person has proposed. Only a login of the console says who confirms: a shell is no second person. */
  async confirmProposal(id: string): Promise<'confirmed' | 'own' | 'gone'> {
    const { by } = this.#parts;
    if (!by?.actor.startsWith('operator:')) throw new RegistryError('a proposal is confirmed in the console');
    const { proposal, act } = (await this.#open(id)) ?? {};
    if (!proposal || !act) return 'gone';
    if (isSameName(proposal.proposedBy, by.actor)) return 'own';
    const { id: thing, ...input } = inputColumn.read(proposal.input);
    if (!(await this.#decide(proposal, 'confirmed'))) return 'gone';
    // In the name of who confirms.
    await runAct({ ...this.#parts, isConfirmed: true }, act, thing, input);
    return 'confirmed';
  }

  /** Also by the person who proposed it. */
  async refuseProposal(id: string): Promise<'refused' | 'gone'> {
    const open = await this.#open(id);
    return open && (await this.#decide(open.proposal, 'refused')) ? 'refused' : 'gone';
  }

  /** With its act, if the role of the caller allows that. */
  async #open(id: string): Promise<{ readonly proposal: Proposal; readonly act: AnyAct } | undefined> {
    const { by = SYSTEM, clock } = this.#parts;
    const proposal = await openProposal(this.db, id, clock.now());
    const act = proposal && actNamed(proposal.act);
    return act && mayAct(act.roles, by) ? { proposal, act } : undefined;
  }

  #decide({ id, act, subject, proposedBy }: Proposal, decision: 'confirmed' | 'refused'): Promise<boolean> {
    const { actor } = this.#parts.by ?? SYSTEM;
    return this.make(
      [decision === 'confirmed' ? 'proposal.confirm' : 'proposal.refuse', { act, proposedBy }],
      (tx, now) => decideProposal(tx, id, { decision, by: actor }, now),
      (isDecided) => (isDecided ? subject : undefined),
    );
  }
}
