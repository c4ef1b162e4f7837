/**
 * One third party with one account holder of its own. It knows what it was told: its consents and their statuses, its
 * payments, what the account has left, the tokens it gave back. Everything it asks is held against that.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { slugOf } from '../../../support/client.js';
import { account, FUNDS } from '../../../support/operations.js';
import type { Asked, Caller } from './caller.js';
import { WrongAnswer } from './journal.js';
import {
  amountOf,
  type Balances,
  body,
  found,
  is,
  type KnownConsent,
  type KnownPayment,
  kinds,
  type Listed,
  type Order,
  orderPath,
  possibleStatuses,
  problem,
  statusOf,
} from './known.js';
import { plainQuestions } from './plain-questions.js';

const OTHER_BANK = 'GR1601101250000000012300695';
/** One cent, and what the bank takes for it. */
const COST_MINOR = 31;
const RANK = ['RCVD', 'PDNG', 'ACSP', 'ACSC'];

export class ThirdParty {
  readonly caller: Caller;
  readonly consents: KnownConsent[] = [];
  readonly payments: KnownPayment[] = [];
  readonly fundsAnswers: { readonly requestId: string; readonly available: boolean }[] = [];
  readonly #iban: string;
  readonly #accounts: number;
  #availableMinor: number;
  /** The one funds consent and the one account access that are open; the others have ended. */
  readonly #open: { funds?: KnownConsent | undefined; access?: KnownConsent | undefined } = {};

  /** With a remote core a payment changes the balance when the core has it, which is soon after its submission. */
  readonly #isCoreRemote: boolean;

  constructor(caller: Caller, number: number, accounts: number, isCoreRemote = false) {
    this.caller = caller;
    this.#isCoreRemote = isCoreRemote;
    const known = account(caller.psu, number);
    this.#iban = known.iban ?? '';
    this.#accounts = accounts;
    this.#availableMinor = known.bookedMinor - known.pendingMinor + known.creditMinor;
  }

  /** Asks and changes until it is told to stop; then nothing is left whose outcome is unknown. */
  async run(isOver: () => boolean): Promise<void> {
    const plain = plainQuestions(this.caller);
    const operations: readonly [weight: number, () => Promise<void>][] = [
      [30, () => this.#askFunds()],
      [20, () => this.#readStatus()],
      [8, () => this.#readConsent()],
      [3, () => this.#change('funds')],
      [3, () => this.#change('access')],
      [10, () => this.#readAccounts()],
      [6, () => this.#pay()],
      [10, () => this.#readPayment()],
      [5, plain.readAtms],
      [1, () => this.caller.revokeToken()],
      [4, plain.useRevokedToken],
      [2, plain.readNothing],
    ];
    const choices = operations.flatMap(([weight, operate]) => Array<typeof operate>(weight).fill(operate));
    // First what the others need: consents that are Valid, and a payment.
    const first = [
      ...[1, 2].flatMap(() => [() => this.#change('funds'), () => this.#change('access')]),
      () => this.#pay(),
      () => this.#askFunds(),
    ];
    while (!isOver()) {
      try {
        await (first.shift() ?? choices[Math.floor(this.caller.chance() * choices.length)])?.();
      } catch (error) {
        if (!(error instanceof WrongAnswer)) throw error;
      }
      await pause(this.caller.chance() * 20);
    }
  }

  #any<T>(list: readonly T[]): T | undefined {
    // Mostly the latest: what was acknowledged a moment ago is what gets lost.
    const back = Math.floor(this.caller.chance() ** 3 * list.length);
    return list[list.length - 1 - back];
  }

  async #askFunds(): Promise<void> {
    const { funds } = this.#open;
    const requestId = randomUUID();
    const asked = (minor: number): Omit<Asked, 'fault'> => ({
      operation: 'funds',
      method: 'POST',
      path: FUNDS,
      requestId,
      body: { account: { iban: this.#iban }, instructedAmount: { currency: 'EUR', amount: amountOf(minor) } },
    });
    if (!funds || statusOf(funds) !== 'Valid') {
      await this.caller.ask({ ...asked(100), fault: problem(403, 'consent-required', 'consent-not-valid') });
      return;
    }
    const minor = this.#availableMinor + (this.caller.chance() < 0.5 ? 0 : 1);
    const available = minor <= this.#availableMinor;
    const fault = body(200, `{"fundsAvailable":${available}}`);
    if (!(await this.caller.ask({ ...asked(minor), fault }))) return;
    this.fundsAnswers.push({ requestId, available });
    if (this.caller.chance() < 0.1)
      await this.caller.ask({ ...asked(minor), fault, operation: 'funds again' });
    if (this.caller.chance() < 0.1)
      await this.caller.ask({
        ...asked(minor + 5),
        operation: 'used request id',
        fault: problem(409, 'request-id-conflict'),
      });
  }

  async #readStatus(): Promise<void> {
    const consent = this.#any(this.consents);
    if (!consent) return;
    const allowed = possibleStatuses(consent, this.payments);
    const answer = await this.caller.ask({
      operation: 'status',
      path: `${kinds[consent.kind].path}/${consent.id}/status`,
      fault: found<{ status: string }>(allowed.join(' or '), ({ status }) => allowed.includes(status)),
    });
    const status = (answer?.json as { status: string } | undefined)?.status;
    if (status !== undefined && status !== statusOf(consent)) consent.statuses.push(status);
  }

  async #readConsent(): Promise<void> {
    const consent = this.#any(this.consents);
    if (!consent) return;
    const allowed = possibleStatuses(consent, this.payments);
    const { clientId } = this.caller.application;
    await this.caller.ask({
      operation: 'consent',
      path: `${kinds[consent.kind].path}/${consent.id}`,
      fault: found<{ id: string; consentStatus: string; tpp: string }>(
        `${consent.id} ${allowed.join(' or ')}`,
        ({ id, consentStatus, tpp }) =>
          id === consent.id && tpp === clientId && allowed.includes(consentStatus),
      ),
    });
  }

  async #create(kind: KnownConsent['kind'], wanted: object): Promise<KnownConsent> {
    const answer = await this.caller.insist({
      operation: 'create',
      method: 'POST',
      path: kinds[kind].create,
      body: wanted,
      fault: is(201),
    });
    const consent = { id: (answer.json as { consentId: string }).consentId, kind, statuses: ['Received'] };
    this.consents.push(consent);
    return consent;
  }

  /** In the account holder's place. The control knows no request ids: a decision that was made before is a conflict. */
  async #decide(consent: KnownConsent, decision: string, to: string): Promise<void> {
    const decided = body(200, `{"status":"${to}"}`);
    await this.caller.insist({
      operation: 'decide',
      method: 'POST',
      path: `/sandbox/consents/${consent.id}/decision`,
      body: { decision },
      fault: decided,
      repeated: (answer) => (slugOf(answer) === 'state-conflict' ? undefined : decided(answer)),
    });
    consent.statuses.push(to);
  }

  async #end(consent: KnownConsent): Promise<void> {
    await this.caller.insist({
      operation: 'end',
      method: 'DELETE',
      path: `${kinds[consent.kind].path}/${consent.id}`,
      fault: is(204),
    });
    consent.statuses.push('TerminatedByTpp');
  }

  /** The next step in the life of the open consent of a kind: made, then approved or refused, then ended by either side. */
  async #change(kind: 'funds' | 'access'): Promise<void> {
    const open = this.#open[kind];
    const wanted =
      kind === 'funds'
        ? { account: { iban: this.#iban } }
        : { permissions: ['AccountsDetail', 'Balances'], recurring: true };
    if (!open) {
      this.#open[kind] = await this.#create(kind, { ...wanted, expirationDate: '2030-06-30' });
      return;
    }
    const isEnd = statusOf(open) === 'Valid' || this.caller.chance() < 0.1;
    if (isEnd) this.#open[kind] = undefined;
    if (!isEnd) await this.#decide(open, 'approve', 'Valid');
    else if (statusOf(open) === 'Received') await this.#decide(open, 'reject', 'Rejected');
    else if (this.caller.chance() < 0.5) await this.#decide(open, 'revoke', 'RevokedByPsu');
    else await this.#end(open);
  }

  async #readAccounts(): Promise<void> {
    const { access } = this.#open;
    if (!access) return;
    const headers = { 'Consent-ID': access.id, 'PSU-IP-Address': '192.0.2.1' };
    const path = '/ais/psd2/v1/accounts';
    if (statusOf(access) !== 'Valid') {
      await this.caller.ask({
        operation: 'accounts',
        path,
        headers,
        fault: problem(403, 'consent-not-valid'),
      });
      return;
    }
    const listed = await this.caller.ask({
      operation: 'accounts',
      path,
      headers,
      fault: found<Listed>(`${this.#accounts} accounts`, (json) => json.accounts.length === this.#accounts),
    });
    const own = (listed?.json as Listed | undefined)?.accounts.find(({ iban }) => iban === this.#iban);
    if (!own) return;
    const expected = amountOf(this.#availableMinor);
    await this.caller.ask({
      operation: 'balances',
      path: `${path}/${own.resourceId}/balances`,
      headers,
      fault: found<Balances>(`${expected} available`, ({ balances }) =>
        balances.some(
          ({ balanceType, balanceAmount }) =>
            balanceType === 'interimAvailable' && balanceAmount.amount === expected,
        ),
      ),
    });
  }

  async #pay(): Promise<void> {
    if (this.#availableMinor < COST_MINOR) return;
    const consent = await this.#create('payment', {
      debitAccount: { iban: this.#iban },
      creditAccount: { iban: OTHER_BANK },
      creditorName: 'Βιβλιοπωλείο',
      instructedAmount: { currency: 'EUR', amount: 0.01 },
    });
    if (this.caller.chance() < 0.1) return this.#decide(consent, 'reject', 'Rejected');
    await this.#decide(consent, 'approve', 'Valid');
    const submission = {
      operation: 'submit',
      method: 'POST',
      path: orderPath(consent.id),
      requestId: randomUUID(),
      fault: is(201),
    };
    const answer = await this.caller.insist(submission);
    const { paymentId, transactionStatus } = answer.json as Order;
    this.#availableMinor -= COST_MINOR;
    this.payments.push({ consentId: consent.id, paymentId, status: transactionStatus });
    await this.caller.ask({ ...submission, operation: 'submit again', fault: body(201, answer.text) }, true);
    if (this.#isCoreRemote) await this.#untilSent(consent.id);
    const { requestId, ...other } = submission;
    const fault = problem(409, 'payment-already-submitted');
    if (this.caller.chance() < 0.3)
      await this.caller.ask({ ...other, operation: 'second submission', fault });
  }

  async #untilSent(consentId: string): Promise<void> {
    const asked = { operation: 'payment', path: orderPath(consentId), fault: is(200) };
    while (((await this.caller.insist(asked)).json as Order).transactionStatus === 'RCVD')
      await pause(this.caller.chance() * 100);
  }

  async #readPayment(): Promise<void> {
    const payment = this.#any(this.payments);
    if (!payment) return;
    const allowed = RANK.slice(RANK.indexOf(payment.status));
    const answer = await this.caller.ask({
      operation: 'payment',
      path: orderPath(payment.consentId),
      fault: found<Order>(
        `${payment.paymentId} ${allowed.join(' or ')}`,
        ({ paymentId, transactionStatus }) =>
          paymentId === payment.paymentId && allowed.includes(transactionStatus),
      ),
    });
    payment.status = (answer?.json as Order | undefined)?.transactionStatus ?? payment.status;
  }
}
