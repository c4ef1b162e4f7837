/** `trapeza payments`: payments of a period, those that are not final, and what operators do about those whose outcome is not known. */

import type { Command } from 'commander';
import type { Admin } from '../../admin/admin.js';
import type { OpenOrder } from '../../admin/payments.js';
import { noteRead } from '../../admin/readings.js';
import { instantText } from '../../lib/instant.js';
import { fromMinor } from '../../model/amount.js';
import type { ClientId } from '../../model/ids.js';
import { type ByHand, NotSettled } from '../../payment/remote/unresolved.js';
import { registerReconcile } from '../keeping/accept.js';
import { CommandError, type JsonFlag, print, printJson, printOutcome, printTable } from '../output.js';
import { type ReasonFlag, withAdmin, withReason } from '../store.js';
import { registerPaymentsOfPeriod } from './payments-of-period.js';

const settling = (work: (admin: Admin) => Promise<void>, flags?: ReasonFlag): Promise<void> =>
  withAdmin(async (admin) => {
    try {
      await work(admin);
    } catch (error) {
      throw error instanceof NotSettled ? new CommandError(error.message) : error;
    }
  }, flags);

const momentText = (time: number | null): string | null => (time === null ? null : instantText(time));

/** Sent counts as the first question. */
const lastQuestion = ({ sentAt, askedAt }: OpenOrder): 'send' | 'query' | null => {
  if (askedAt === null) return null;
  return askedAt === sentAt ? 'send' : 'query';
};

const stateOf = ({ unresolvedAt, retriedAt }: OpenOrder): string => {
  if (unresolvedAt === null) return 'open';
  return retriedAt === null ? 'unresolved' : 'unresolved, being asked again now';
};

const lineOf = (order: OpenOrder): object => {
  const { id, consentId, clientId, status, currency, amountMinor, instant, fault, attempts } = order;
  return {
    id,
    consentId,
    clientId,
    status,
    state: stateOf(order),
    instant,
    amount: fromMinor(amountMinor, currency),
    currency,
    submitted: instantText(order.submittedAt),
    lastSent: momentText(order.sentAt),
    lastQuestion: lastQuestion(order),
    lastAsked: momentText(order.askedAt),
    fault,
    attempts,
    nextQuestion: instantText(order.lookAgainAt),
    unresolvedSince: momentText(order.unresolvedAt),
  };
};

interface ListFlags extends JsonFlag, ReasonFlag {
  readonly application?: ClientId;
  readonly instant?: boolean;
}

/** An open payment has no final answer, so its outcome is not known. */
const noneUnresolved = (open: readonly OpenOrder[]): string =>
  open.length === 0
    ? 'The outcome of every payment is known.'
    : `No payment is unresolved. ${open.length} payment(s) are still being asked about: trapeza payments open`;

const list = (
  isWanted: (order: OpenOrder) => boolean,
  { application, instant, json, reason }: ListFlags,
  empty: (open: readonly OpenOrder[]) => string,
): Promise<void> =>
  withAdmin(
    async (admin, _config, _db, context) => {
      await noteRead(context, 'payment.list', 'payments');
      const open = await admin.openPayments(application);
      const rows = open.filter((order) => isWanted(order) && (!instant || order.instant)).map(lineOf);
      if (json) printJson(rows);
      else printTable(rows, empty(open));
    },
    { reason },
  );

interface SettleFlags {
  readonly settled?: boolean;
  readonly rejected?: boolean;
  readonly reason?: string;
  readonly text: string;
  readonly by: string;
  readonly force?: boolean;
}

const LONGEST = 140;

/** What the flags say became of the payment. */
const settlementOf = ({ settled = false, rejected = false, reason, text }: SettleFlags): ByHand => {
  if (settled === rejected) throw new CommandError('say what became of it: --settled or --rejected');
  if (settled) {
    if (reason !== undefined) throw new CommandError('--reason is for a rejected payment');
    return { status: 'ACSC' };
  }
  if (reason === undefined || !/^[A-Z0-9]{4}$/.test(reason))
    throw new CommandError('--rejected needs --reason with an ISO 20022 code such as AC04 or MS03');
  if (text.trim() === '' || text.length > LONGEST)
    throw new CommandError(`--text has 1 to ${LONGEST} characters`);
  return { status: 'RJCT', reason: { code: reason, text } };
};

const settle = async (id: string, flags: SettleFlags): Promise<void> => {
  const outcome = settlementOf(flags);
  const by = flags.by.trim();
  if (by === '' || by.length > LONGEST)
    throw new CommandError('--by names who has found out: it stays in the history of the order');
  await settling(async (admin) => {
    await admin.settlePayment(id, { outcome, by, isForced: flags.force ?? false });
    print(`The payment order ${id} is ${outcome.status} now, settled by hand by ${by}.`);
  });
};

const retry = (
  id: string | undefined,
  flags: JsonFlag & ReasonFlag & { readonly all?: boolean },
): Promise<void> =>
  settling(async (admin) => {
    if ((id === undefined) !== (flags.all ?? false))
      throw new CommandError('give either the id of a payment order or --all');
    const count = await admin.retryPayment(id ?? 'all');
    printOutcome(flags, { count }, `The core is asked about ${count} payment(s) within seconds.`);
  }, flags);

export const registerPayments = (program: Command): void => {
  const payments = program
    .command('payments')
    .description(
      'payments: list those of a period; open, unresolved, retry, settle; reconcile with the core',
    );
  registerPaymentsOfPeriod(payments);
  withReason(payments.command('open'))
    .description('list payments that are not final, with the last and the next question to the core')
    .option('--application <clientId>', 'of this application')
    .option('--instant', 'instant ones alone')
    .option('--json', 'print JSON')
    .action((flags: ListFlags) =>
      list(
        () => true,
        flags,
        () => 'Every payment is final.',
      ),
    );
  withReason(payments.command('unresolved'))
    .description(
      'list payments whose outcome at the core has to be found out, also while it is being asked again',
    )
    .option('--json', 'print JSON')
    .action((flags: ListFlags) => list(({ unresolvedAt }) => unresolvedAt !== null, flags, noneUnresolved));
  withReason(payments.command('retry'))
    .description('ask the core again now, and send it the payment again if it says that it never got it')
    .argument('[id]', 'id of the payment order')
    .option('--all', 'every unresolved payment, after the core was away')
    .option('--json', 'print JSON')
    .action(retry);
  payments
    .command('settle')
    .description('write down what became of a payment, once that was found out in the books of the core')
    .argument('<id>', 'id of the payment order')
    .option('--settled', 'the core has carried it out')
    .option('--rejected', 'the core has not carried it out and never will')
    .option('--reason <code>', 'why it was rejected, an ISO 20022 code such as AC04')
    .option('--text <text>', 'what the third party reads about it', 'The payment was not carried out.')
    .requiredOption('--by <operator>', 'who has found out')
    .option('--force', 'also one that is not unresolved yet')
    .action(settle);
  registerReconcile(payments);
};
