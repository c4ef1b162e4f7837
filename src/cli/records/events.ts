/** `trapeza events`: notifications that have not arrived. */

import type { Command } from 'commander';
import { instantText } from '../../lib/instant.js';
import type { ClientId } from '../../model/ids.js';
import { type JsonFlag, printJson, printOutcome, printTable } from '../output.js';
import { type ReasonFlag, withAdmin, withReason } from '../store.js';

export const registerEvents = (program: Command): void => {
  const events = program.command('events').description('notifications of status changes: pending, retry');
  events
    .command('pending')
    .description('list applications with notifications that have not arrived')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withAdmin(async (admin) => {
        const rows = (await admin.pendingNotifications()).map((row) => ({
          ...row,
          oldest: instantText(row.oldest),
        }));
        if (options.json) printJson(rows);
        else printTable(rows, 'Every notification has arrived.');
      }),
    );
  withReason(events.command('retry'))
    .description('send everything again that has not arrived, also what was given up')
    .argument('<clientId>', 'client id of the application')
    .option('--json', 'print JSON')
    .action((clientId: ClientId, flags: JsonFlag & ReasonFlag) =>
      withAdmin(async (admin) => {
        const due = await admin.retryNotifications(clientId);
        printOutcome(flags, { due }, `${due} notification(s) are due now.`);
      }, flags),
    );
};
