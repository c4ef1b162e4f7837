/** `POST /sandbox/consents/{id}/decision`: what the account holder would do on the pages, for tests without a browser. */

import { accountsFor, type Bank, type BankAccount } from 'trapeza/bank';
import {
  type Db,
  decimalText,
  fieldFault,
  fieldProblem,
  isUuid,
  normalBban,
  normalIban,
  type Operation,
  operation,
  Problem,
  type PsuId,
  type Vault,
} from 'trapeza/base';
import {
  type AskedConsent,
  approveConsent,
  askPersonalTerms,
  type ConsentAccount,
  consentAccount,
  consentStatuses,
  type DecisionOutcome,
  findAsked,
  payerFault,
  pendingDecision,
  refuseConsent,
  renewConsent,
  shownHash,
  termsOf,
  withdrawConsent,
} from 'trapeza/extend';
import { type Static, Type } from 'typebox';
import { sandboxArea } from './area.js';
import { refusesEverything } from './bank/case-people.js';
import type { TestSystem } from './test-system.js';

export interface DecisionParts {
  readonly db: Db;
  readonly bank: Bank;
  readonly clock: { now(): Promise<number> };
  readonly testSystem: TestSystem;
  readonly regime: 'psd2' | 'psr';
  readonly vault: Vault;
}

const DecisionRequest = Type.Object(
  {
    decision: Type.Unsafe<'approve' | 'reject' | 'revoke'>({
      type: 'string',
      enum: ['approve', 'reject', 'revoke'],
    }),
    accounts: Type.Optional(
      Type.Array(
        Type.Unsafe<string | { iban?: string; bban?: string; currency?: string }>({
          anyOf: [
            { type: 'string' },
            {
              type: 'object',
              properties: {
                iban: { type: 'string' },
                bban: { type: 'string' },
                currency: { type: 'string' },
              },
              additionalProperties: false,
            },
          ],
        }),
        {
          minItems: 1,
          maxItems: 50,
          description: 'IBANs or BBANs, or account references; absent: what the third party named, or all.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);
type Wish = Static<typeof DecisionRequest>;

const isNamed = (account: BankAccount, wish: NonNullable<Wish['accounts']>[number]): boolean => {
  const { iban, bban, currency } =
    typeof wish === 'string' ? { iban: wish, bban: wish, currency: undefined } : wish;
  const isNumber =
    (iban !== undefined && account.iban === normalIban(iban)) ||
    (bban !== undefined && account.bban === normalBban(bban));
  return isNumber && (currency === undefined || account.currency === currency);
};

/** One account that can pay: of those the third party named, or else of all; in the currency of the payment if there is one. */
const choosePayer = (asked: AskedConsent, usable: readonly BankAccount[]): ConsentAccount[] => {
  const terms = termsOf(asked.details, asked.quote, asked.otherPrices);
  const named = asked.accounts.map(({ accountId }) => accountId);
  const able = usable.filter(
    (account) =>
      (named.length === 0 || named.includes(account.id)) && payerFault(terms, account) === undefined,
  );
  const chosen = able.find(({ currency }) => currency === terms.currency) ?? able[0];
  return chosen ? [consentAccount(chosen)] : [];
};

/** Picked, or named by the third party, or else: all for account access, the first that can pay for a payment. */
const chooseAccounts = (asked: AskedConsent, wish: Wish, held: readonly BankAccount[]): ConsentAccount[] => {
  const usable = held.filter(({ status }) => status === 'enabled');
  if (wish.accounts) {
    const picked = usable.filter((account) => wish.accounts?.some((each) => isNamed(account, each)));
    if (picked.length === 0)
      throw fieldProblem(
        'accounts',
        fieldFault('not-found', 'must be accounts of the account holder that are neither blocked nor closed'),
      );
    return asked.kind === 'PaymentInitiation' ? choosePayer(asked, picked) : picked.map(consentAccount);
  }
  if (asked.kind === 'PaymentInitiation') return choosePayer(asked, usable);
  if (asked.accounts.length > 0) return asked.accounts.filter(({ accountId }) => accountId !== null);
  return (asked.kind === 'AccountAccess' ? usable : usable.slice(0, 1)).map(consentAccount);
};

const approve = async (
  { db, bank, regime, vault }: DecisionParts,
  staged: AskedConsent,
  wish: Wish,
  at: number,
): Promise<DecisionOutcome> => {
  const held = await accountsFor(bank, staged.psuId, staged.accounts);
  const termsFor = async (payerAccountId?: string) => {
    const found = await askPersonalTerms(bank, staged, { payerAccountId, language: 'en' });
    if (!found.refusal) return found;
    const { sentences, limit } = found.refusal;
    const atMost = limit
      ? [`At most ${decimalText(limit.amountMinor, limit.currency)} ${limit.currency}.`]
      : [];
    throw new Problem('state-conflict', {
      detail: `The bank would not carry out this payment for this person. ${[...sentences, ...atMost].join(' ')}`,
    });
  };
  const accounts = chooseAccounts((await termsFor()).asked, wish, held);
  if (accounts.length === 0)
    throw new Problem('state-conflict', {
      detail:
        'The account holder has no account that the consent can be approved for: it must be neither blocked nor closed, and one that pays must have the currency.',
    });
  const { asked, terms } = await termsFor(accounts[0]?.accountId ?? undefined);
  const { id, psuId } = asked;
  const shown = { id, psuId, shownHash: shownHash(asked), accounts, terms };
  return approveConsent(db, { ...shown, at, regime, vault });
};

const OWNER = 'select psu_id from consents where id = ?';

const DecisionResponse = Type.Object(
  { status: Type.Unsafe<string>({ type: 'string', enum: [...consentStatuses] }) },
  { additionalProperties: false },
);

export const decideConsent = (parts: DecisionParts): Operation =>
  operation({
    area: sandboxArea,
    headers: [],
    query: [],
    params: [{ name: 'id', schema: { type: 'string' }, description: 'Id of the consent.' }],
    repeat: 'ignored',
    id: 'decideSandboxConsent',
    method: 'POST',
    path: '/sandbox/consents/:id/decision',
    summary: 'Decide in the place of the account holder',
    description:
      'Approves, refuses or withdraws a consent as its account holder would on the pages; if a renewal is open, approves or refuses that. The user manolis refuses even if he is told to approve.',
    body: DecisionRequest,
    bodyExample: { decision: 'approve' },
    success: {
      status: 200,
      description: 'The status the consent has now.',
      schema: DecisionResponse,
      example: { status: 'Valid' },
    },
    problems: ['state-conflict'],
    async handle({ params, body }) {
      await parts.testSystem.demand();
      const id = params.id ?? '';
      const owner = isUuid(id) ? await parts.db.one<{ psu_id: PsuId }>(OWNER, [id]) : undefined;
      const asked = owner && (await findAsked(parts.db, id, owner.psu_id));
      if (!asked) throw new Problem('resource-not-found');
      const at = await parts.clock.now();
      const { psuId } = asked;
      const isRenewal = pendingDecision(asked, at) === 'renewal';
      const reject = () => refuseConsent(parts.db, asked, at);
      const decide: Record<Wish['decision'], () => Promise<DecisionOutcome>> = {
        approve: () => {
          if (refusesEverything(psuId)) return reject();
          return isRenewal
            ? renewConsent(parts.db, { id, psuId, shownHash: shownHash(asked), at, regime: parts.regime })
            : approve(parts, asked, body, at);
        },
        reject,
        revoke: () => withdrawConsent(parts.db, id, psuId, at),
      };
      const outcome = await decide[body.decision]();
      if (outcome !== 'done') {
        const detail =
          outcome === 'submitted'
            ? 'The payment was submitted and can no longer be withdrawn.'
            : 'The consent is not in a state that allows this decision.';
        throw new Problem('state-conflict', { detail });
      }
      const now = await findAsked(parts.db, id, asked.psuId);
      return { status: 200, body: { status: now?.status ?? asked.status } };
    },
  });
