/** Acts that need two people: one proposes, another one confirms in the console or refuses. */
import { decideProposal, isSameName, openProposal, openProposals, type Proposal } from '../acts/proposals.js';
import { SYSTEM } from '../acts/role.js';
import { RegistryError } from '../tpp/registry.js';
import type { ActParts } from './act-methods.js';
import { StoreActs } from './store-acts.js';

export abstract class ProposalActs extends StoreActs {
  readonly #parts: ActParts;

  constructor(parts: ActParts) {
    super(parts);
    this.#parts = parts;
  }

  /** In the name of who confirms. */
  protected abstract carryOut(proposal: Proposal): Promise<void>;

  /** What waits for a second person. */
  proposals(): Promise<readonly Proposal[]> {
    return openProposals(this.db, this.#parts.clock.now());
  }

  /** Does what another person has proposed. Only a login of the console says who confirms: a shell is no second person. */
  async confirmProposal(id: string): Promise<'confirmed' | 'own' | 'gone'> {
    const { by, clock } = this.#parts;
    if (!by?.actor.startsWith('operator:')) throw new RegistryError('a proposal is confirmed in the console');
    const proposal = await openProposal(this.db, id, clock.now());
    if (!proposal) return 'gone';
    if (isSameName(proposal.proposedBy, by.actor)) return 'own';
    if (!(await this.#decide(proposal, 'confirmed'))) return 'gone';
    await this.carryOut(proposal);
    return 'confirmed';
  }

  /** Also by the person who proposed it. */
  async refuseProposal(id: string): Promise<'refused' | 'gone'> {
    const proposal = await openProposal(this.db, id, this.#parts.clock.now());
    return proposal && (await this.#decide(proposal, 'refused')) ? 'refused' : 'gone';
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
