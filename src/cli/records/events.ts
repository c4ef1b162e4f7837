/** `trapeza events`: notifications that have not arrived. */

import type { Command } from 'commander';
import { instantText } from '../../lib/instant.js';
import type { ClientId } from '../../model/ids.js';
import { CommandError, type JsonFlag, print, printJson, printOutcome, printTable } from '../output.js';
import { type ReasonFlag, withAdmin, withReason } from '../store.js';

export const registerEvents = (program: Command): void => {
  const events = program
    .command('events')
    .description('notifications of status changes: pending, list, retry, redeliver');
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
  events
    .command('list')
    .description('list the last events of an application, with what became of them')
    .argument('<clientId>', 'client id of the application')
    .option('--json', 'print JSON')
    .action((clientId: ClientId, { json }: JsonFlag) =>
      withAdmin(async (admin) => {
        const rows = (await admin.deliveries(clientId)).map((row) => ({
          id: row.id,
          at: instantText(row.occurredAt),
          about: row.paymentId ?? row.consentId,
          status: row.status,
          host: row.target === null ? '' : new URL(row.target).host,
          attempts: row.attempts ?? 0,
          outcome: row.outcome ?? '',
        }));
        if (json) printJson(rows);
        else printTable(rows, 'There are no events yet.');
      }),
    );
  withReason(events.command('redeliver'))
    .description('send one event again, to the present address of its application')
    .argument('<clientId>', 'client id of the application')
    .argument('<eventId>', 'id of the event, as `events list` shows it')
    .action((clientId: ClientId, eventId: string, flags: ReasonFlag) =>
      withAdmin(async (admin) => {
        if (!(await admin.redeliverEvent(clientId, { eventId })))
          throw new CommandError(
            'there is no such event, or the application has no address: trapeza application webhook',
          );
        print(`Event ${eventId} is due now.`);
      }, flags),
    );
};
