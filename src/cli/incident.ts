/** `trapeza incident`: what the status page says when something is wrong. */
import type { Command } from 'commander';
import { instantText } from '../lib/instant.js';
import { type JsonFlag, print, printJson, printOutcome, printTable } from './output.js';
import { instantIn, textOptions } from './statistics.js';
import { type ReasonFlag, withAdmin, withReason } from './store.js';

interface Flags extends ReasonFlag, JsonFlag {
  readonly from?: string;
  readonly el: string;
  readonly en: string;
}

const textsIn = ({ el, en }: Flags) => ({ textEl: el, textEn: en });

const open = (flags: Flags): Promise<void> =>
  withAdmin(async (admin) => {
    const from = flags.from === undefined ? undefined : instantIn(flags.from);
    const id = await admin.openIncident(textsIn(flags), from);
    printOutcome(flags, { id }, `Incident ${id} is on the status page.`);
  }, flags);

const changing =
  (act: 'updateIncident' | 'closeIncident', outcome: string) =>
  (id: string, flags: Flags): Promise<void> =>
    withAdmin(async (admin) => {
      await admin[act](id, textsIn(flags));
      print(`Incident ${id} ${outcome}.`);
    }, flags);

const list = ({ json }: JsonFlag): Promise<void> =>
  withAdmin(async (admin) => {
    const incidents = await admin.incidents();
    if (json) return printJson(incidents);
    printTable(
      incidents.map(({ id, startedAt, endedAt, notes }) => ({
        ...{ id, from: instantText(startedAt), to: endedAt === null ? '' : instantText(endedAt) },
        text: notes.at(-1)?.textEn,
      })),
      'There was no incident in the last 90 days.',
    );
  });

export const registerIncident = (program: Command): void => {
  const incident = program
    .command('incident')
    .description('incidents on the status page: open, update, close, list');
  textOptions(withReason(incident.command('open')))
    .description('say that something is wrong: on the status page and to every third party')
    .option('--from <moment>', 'when it began, such as 2026-12-06T02:00:00+02:00; now if absent')
    .option('--json', 'print JSON')
    .action(open);
  textOptions(withReason(incident.command('update')))
    .description('say more about an incident')
    .argument('<id>', 'id of the incident')
    .action(changing('updateIncident', 'has a new note'));
  textOptions(withReason(incident.command('close')))
    .description('say that an incident is over')
    .argument('<id>', 'id of the incident')
    .action(changing('closeIncident', 'is over'));
  incident
    .command('list')
    .description('list incidents of the last 90 days')
    .option('--json', 'print JSON')
    .action(list);
};
