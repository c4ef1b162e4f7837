/** `trapeza store accept` and `trapeza payments reconcile`: what to do about a store that has forgotten something. */
import type { Command } from 'commander';
import { openConfiguredCore } from '../../app/core.js';
import { Closers } from '../../app/options.js';
import type { Bank } from '../../bank/bank.js';
import type { Config } from '../../config/config.js';
import { BankNotes } from '../../consent/bank-data.js';
import { createLog } from '../../observe/log.js';
import { createMetrics } from '../../observe/metrics.js';
import type { Db } from '../../store/db.js';
import { CommandError, type JsonFlag, print, printJson } from '../output.js';
import { loadBank } from '../serve.js';
import { withAdmin } from '../store.js';
import { bankTimeOf } from '../wings.js';

interface ReasonedFlags extends JsonFlag {
  readonly reason: string;
}

const accept = ({ json, reason }: ReasonedFlags): Promise<void> =>
  withAdmin(
    async (admin) => {
      const loss = await admin.acceptStore();
      if (json) return printJson({ accepted: loss ?? null });
      if (loss) print(`What was noticed ${loss.noticedAt} is accepted: ${loss.detail}.`);
      else print('Nothing was recorded as forgotten; the store is accepted as it is.');
      print('Running nodes answer again within seconds, and a service that refused to start can be started.');
    },
    { reason },
  );

/** The bank that the service would ask. */
const bankOf = async (config: Config, db: Db, closers: Closers): Promise<Bank> => {
  const log = createLog('silent');
  const metrics = createMetrics(() => 0, false);
  const rooms = {
    config,
    notes: new BankNotes(db),
    log,
    metrics,
    bankTime: () => bankTimeOf(db),
    isTest: false,
    tracer: undefined,
  };
  const bank = (await openConfiguredCore(rooms, closers))?.bank ?? (await loadBank(config)).bank;
  if (!bank) throw new CommandError('there is no core to ask: set TRAPEZA_CORE_URL or TRAPEZA_BANK_MODULE');
  return bank;
};

const list = (what: string, ids: readonly string[]): void => {
  print(`${ids.length} ${what}${ids.length === 0 ? '' : `:\n  ${ids.join('\n  ')}`}`);
};

const runReconcile = ({ json, reason }: ReasonedFlags): Promise<void> =>
  withAdmin(
    async (admin, config, db) => {
      const closers = new Closers();
      try {
        const found = await admin.reconcile(await bankOf(config, db, closers));
        if (json) return printJson(found);
        print(`The core was asked about ${found.asked} valid permissions.`);
        list('payments are known again', found.payments);
        list('consents had ended and end here again', found.ended);
        list(
          'consents have a later state at the core, which does not say which: compare them by hand',
          found.ahead,
        );
        list('could not be asked about: repeat the command', found.unknown);
      } finally {
        await closers.close();
      }
    },
    { reason },
  );

const command = (
  group: Command,
  name: string,
  description: string,
  run: (flags: ReasonedFlags) => Promise<void>,
): void => {
  group
    .command(name)
    .description(description)
    .requiredOption('--reason <text>', 'why, for the audit log')
    .option('--json', 'print JSON')
    .action(run);
};

export const registerReconcile = (payments: Command): void =>
  command(
    payments,
    'reconcile',
    'take up again what the core knows and the store has forgotten: payments, and ends of consents',
    runReconcile,
  );

export const registerAccept = (store: Command): void =>
  command(store, 'accept', 'go on with a store that has forgotten what was committed', accept);
