/** `trapeza statistics`, `downtime` and `incident`: the figures of a quarter, what is planned, and what is wrong. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Context } from '../acts/act.js';
import { runAct } from '../acts/run-act.js';
import { systemClock } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import * as acts from '../statistics/acts.js';
import type { DayFigures } from '../statistics/figures.js';
import { quarterAt, readQuarter } from '../statistics/quarters.js';
import { parseChannels } from '../statistics/read-channels.js';
import { type Column, channelsOf, columns, csvOf, englishHeads } from '../statistics/table.js';
import { addDerived } from './derived.js';
import { CommandError, type JsonFlag, print, printJson, printOutcome, printTable } from './output.js';
import { type ReasonFlag, withContext, withReason } from './store.js';

interface Flags extends ReasonFlag, JsonFlag {
  readonly quarter?: string;
  readonly csv?: boolean;
  readonly publish?: boolean;
  readonly channels?: string;
}

const cell = ({ of, digits }: Column, day: DayFigures): string => of(day)?.toFixed(digits) ?? '–';

const show = async ({ db, clock, config }: Context, name: string, { json, csv }: Flags): Promise<void> => {
  const quarter = await readQuarter(db, name, clock.now(), config.timeZone);
  if (!quarter) throw new CommandError(`"${name}" is not a quarter such as 2026Q4`);
  if (json) return printJson(quarter);
  if (csv) return void process.stdout.write(csvOf(quarter, 'en', englishHeads));
  const channels = channelsOf(quarter);
  printTable(
    quarter.days.map((day) => ({
      date: day.date,
      ...Object.fromEntries(
        channels.map((channel) => [
          `${channel}, up %`,
          day.channels[channel]?.uptimePercent.toFixed(2) ?? '–',
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(columns).map(([id, column]) => [
          englishHeads[id as keyof typeof columns],
          cell(column, day),
        ]),
      ),
    })),
    `No day of ${name} is over yet.`,
  );
  const { published } = quarter;
  print(
    published
      ? `Published ${instantText(published.at)}, SHA-256 ${published.sha256}`
      : 'Not published: trapeza statistics --quarter … --publish',
  );
};

const statistics = (flags: Flags): Promise<void> =>
  withContext(async (context) => {
    const { publishStatistics, importStatistics } = acts;
    if (flags.channels !== undefined) {
      const file = parseChannels(await readFile(flags.channels, 'utf8'));
      const days = await runAct(context, importStatistics, '', { file });
      return printOutcome(flags, { days }, `${days} day(s) of own channels are kept.`);
    }
    const quarter = flags.quarter ?? quarterAt(systemClock.now(), context.config.timeZone);
    if (!flags.publish) return show(context, quarter, flags);
    const sha256 = await runAct(context, publishStatistics, quarter, {});
    printOutcome(
      flags,
      { quarter, sha256 },
      `${quarter} is published and does not change any more. SHA-256 ${sha256}`,
    );
  }, flags);

export const registerStatistics = (program: Command): void => {
  withReason(program.command('statistics'))
    .description(
      'availability and performance of the interface by day, as EBA/GL/2018/07 wants them published',
    )
    .option('--quarter <quarter>', 'such as 2026Q4; the running one if absent')
    .option('--csv', 'print the table as CSV')
    .option('--publish', 'freeze the quarter, which must be over, and show it on /statistics')
    .option(
      '--channels <file>',
      'take the availability of your own channels from a CSV file: date,channel,uptimePercent',
    )
    .option('--json', 'print JSON')
    .action(statistics);
};

export const registerDowntime = (program: Command): void => {
  const downtime = program.command('downtime').description('planned downtime: announce, list, cancel');
  addDerived(downtime, acts);
};

export const registerIncident = (program: Command): void => {
  const incident = program
    .command('incident')
    .description('incidents on the status page: open, update, close, list');
  addDerived(incident, acts);
};
