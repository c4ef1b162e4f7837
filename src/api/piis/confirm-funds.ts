/** Operation 1, "Confirm funds": whether an amount is available now, on an account that a consent of the caller covers. */

import type { Static } from 'typebox';
import { type HeldBank, NoSuchAccount } from '../../bank/bank.js';
import { contextOf } from '../../bank/consent-note.js';
import type { BankNote } from '../../consent/bank-data.js';
import { findOtherCandidates, findValidCandidates } from '../../consent/funds/candidates.js';
import {
  coveredAccounts,
  type FundsCandidate,
  openedAccounts,
  referencesOf,
} from '../../consent/funds/matching-consent.js';
import { type Call, operation, type Reply } from '../../http/operation.js';
import type { Vault } from '../../lib/vault.js';
import { normalCard } from '../../model/account-reference.js';
import { amountFault, toMinor } from '../../model/amount.js';
import type { Caller } from '../../model/caller.js';
import type { AccountId } from '../../model/ids.js';
import type { FundsAnswer } from '../../observe/balance-search.js';
import { fieldFault } from '../../problem/field.js';
import { fieldProblem, Problem } from '../../problem/problem.js';
import { credentialHeaders, requesterOf, requestId, sessionConsentId, signatureHeaders } from '../headers.js';
import type { ConsentReadParts } from '../parts.js';
import type { FundsRecords } from './funds-records.js';
import { FundsConfirmationRequest, FundsConfirmationResponse } from './schema.js';

export interface ConfirmFundsParts extends ConsentReadParts {
  readonly bank: HeldBank;
  readonly vault: Vault;
  readonly records: FundsRecords;
  readonly onAnswer: (answer: FundsAnswer & { readonly requestId: string }) => void;
}

type Recognised = FundsCandidate & { readonly accountId: AccountId; readonly currency: string };
const isRecognised = (account: FundsCandidate): account is Recognised =>
  account.accountId !== null && account.currency !== null;

/** The sub-account in question: picked by account.currency before, by instructedAmount.currency here, or the only one. */
const pickAccount = (covered: readonly FundsCandidate[], currency: string | null): Recognised => {
  const accounts = covered.filter(isRecognised);
  const [only] = accounts;
  if (!only) throw new Problem('consent-required');
  if (currency !== null) {
    const picked = accounts.find((account) => account.currency === currency);
    if (!picked) throw new Problem('currency-mismatch');
    return picked;
  }
  if (accounts.some((account) => account.currency !== only.currency)) {
    throw fieldProblem(
      'instructedAmount.currency',
      fieldFault('required', 'is needed: the account has several currencies'),
    );
  }
  return only;
};

/**
 * Without the accounts that the person no longer holds: they are answered like accounts that no consent covers. The bank says the same
 * of the only account in question.
 */
const stillHeld = async (
  { bank }: ConfirmFundsParts,
  { psuId }: Caller,
  covered: readonly FundsCandidate[],
  currency: string | null,
): Promise<readonly FundsCandidate[]> => {
  if (covered.length === 1 && covered[0]?.currency === currency) return covered;
  const isHeld = async ({ accountId }: FundsCandidate): Promise<boolean> =>
    accountId !== null && bank.holds(psuId, accountId);
  const verdicts = await Promise.all(covered.map(isHeld));
  return covered.filter((_, index) => verdicts[index]);
};

/** The schema could not know the decimals while the currency was null. */
const minorAmount = (amount: number, currency: string): bigint => {
  if (amountFault(amount, currency) !== undefined) {
    throw fieldProblem(
      'instructedAmount.amount',
      fieldFault('too-precise', 'has more decimals than the currency of the account allows'),
    );
  }
  return toMinor(amount, currency);
};

const confirm = async (
  parts: ConfirmFundsParts,
  call: Call<Static<typeof FundsConfirmationRequest>>,
): Promise<Reply> => {
  const { account, cardNumber, payee, instructedAmount } = call.body;
  const cardHashes = cardNumber ? parts.vault.marks('card-number', normalCard(cardNumber)) : [];
  const references = referencesOf(account, cardHashes);
  const named = account.currency ?? null;
  const [bankNow, valid] = await Promise.all([
    parts.bankTime(),
    findValidCandidates(parts.db.batchedReads, call.caller, references),
  ]);
  const opened = openedAccounts(valid, references, named, bankNow);
  const others = opened.length > 0 ? [] : await findOtherCandidates(parts.db, call.caller, references);
  const covered =
    opened.length > 0 ? opened : coveredAccounts([...valid, ...others], references, named, bankNow);
  const held = await stillHeld(parts, call.caller, covered, instructedAmount.currency);
  const { consentId, bankData, accountId, currency } = pickAccount(held, instructedAmount.currency);
  const amountMinor = minorAmount(instructedAmount.amount, currency);
  const { psuId, clientId } = call.caller;
  const context = contextOf({ id: consentId, psuId, clientId, bankData, requester: requesterOf(call) });
  let note: BankNote | undefined;
  const onBankData = (text: string): void => {
    note = { id: consentId, clientId, bankData: text };
  };
  const available = await parts.bank.hasFunds({ accountId, currency, amountMinor, context, onBankData });
  if (call.isLate()) {
    await parts.records.keepNote(note);
    throw new Problem('processing-timeout');
  }
  const amount = String(instructedAmount.amount);
  await parts.records.add(
    call,
    {
      consentId,
      accountId,
      payee: payee ?? null,
      amount,
      currency,
      available,
      askedAt: bankNow,
    },
    note,
  );
  const { requestId } = call;
  parts.onAnswer({ clientId, accountId, amount: instructedAmount.amount, available, requestId });
  return { status: 200, body: { fundsAvailable: available } };
};

export const confirmFunds = (parts: ConfirmFundsParts) =>
  operation({
    id: 'confirmFunds',
    method: 'POST',
    path: '/piis/psd2/v1/funds-confirmations',
    area: 'piis',
    isSpecified: true,
    summary: 'Confirm funds',
    description:
      'Tells a card issuer whether the amount is available on the account at this moment. The account is found by card number or account reference among the consents of the calling application and the account holder of the token. No funds are held.',
    headers: [sessionConsentId, requestId, ...signatureHeaders, ...credentialHeaders],
    query: [],
    params: [],
    body: FundsConfirmationRequest,
    bodyExample: {
      account: { iban: 'GR0599900010000000000000101' },
      payee: 'Βιβλιοπωλείο Αθηνά',
      instructedAmount: { currency: 'EUR', amount: 25.5 },
    },
    success: {
      status: 200,
      description: 'The answer.',
      schema: FundsConfirmationResponse,
      example: { fundsAvailable: true },
    },
    problems: [
      'currency-mismatch',
      'consent-required',
      'consent-not-valid',
      'processing-timeout',
      'reference-conflict',
    ],
    repeat: 'evaluated-again',
    async handle(call) {
      try {
        return await confirm(parts, call);
      } catch (thrown) {
        const error = thrown instanceof NoSuchAccount ? new Problem('consent-required') : thrown;
        // A refused request writes no record and does not claim its X-Request-ID; a reuse of the id (409) is reported before the
        // refusal. After a failure of the store nothing is queried: its error may say that the record is perhaps written.
        if (error instanceof Problem) await parts.records.checkId(call);
        throw error;
      }
    },
  });
