/** `trapeza events`: notifications that have not arrived. */
import type { Command } from 'commander';
import { listBacklog, retryBacklog } from '../../events/backlog.js';
import { instantText } from '../../lib/instant.js';
import { print, printJson, printTable } from '../output.js';
import { withMigratedDb } from '../store.js';

export const registerEvents = (program: Command): void => {
  const events = program.command('events').description('notifications of status changes: pending, retry');
  events
    .command('pending')
    .description('list applications with notifications that have not arrived')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withMigratedDb(async (db) => {
        const rows = (await listBacklog(db)).map((row) => ({ ...row, oldest: instantText(row.oldest) }));
        if (options.json) printJson(rows);
        else printTable(rows, 'Every notification has arrived.');
      }),
    );
  events
    .command('retry')
    .description('send everything again that has not arrived, also what was given up')
    .argument('<clientId>', 'client id of the application')
    .action((clientId: string) =>
      withMigratedDb(async (db) => {
        print(`${await retryBacklog(db, clientId)} notification(s) are due now.`);
      }),
    );
};
