/** `trapeza statistics` and `trapeza downtime`: the figures of a quarter, and what is planned. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Admin } from '../admin/admin.js';
import { systemClock } from '../lib/clock.js';
import { instantText, parseInstant } from '../lib/instant.js';
import type { DayFigures } from '../statistics/figures.js';
import { quarterAt } from '../statistics/quarters.js';
import { parseChannels } from '../statistics/read-channels.js';
import { type Column, channelsOf, columns, csvOf, englishHeads } from '../statistics/table.js';
import { CommandError, type JsonFlag, print, printJson, printOutcome, printTable } from './output.js';
import { type ReasonFlag, withAdmin, withReason } from './store.js';

interface Flags extends ReasonFlag, JsonFlag {
  readonly quarter?: string;
  readonly csv?: boolean;
  readonly publish?: boolean;
  readonly channels?: string;
}

const cell = ({ of, digits }: Column, day: DayFigures): string => of(day)?.toFixed(digits) ?? '–';

const show = async (admin: Admin, timeZone: string, name: string, { json, csv }: Flags): Promise<void> => {
  const quarter = await admin.quarter(name, timeZone);
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
  withAdmin(async (admin, { timeZone }) => {
    if (flags.channels !== undefined) {
      const days = await admin.importChannels(parseChannels(await readFile(flags.channels, 'utf8')));
      return printOutcome(flags, { days }, `${days} day(s) of own channels are kept.`);
    }
    const quarter = flags.quarter ?? quarterAt(systemClock.now(), timeZone);
    if (!flags.publish) return show(admin, timeZone, quarter, flags);
    const sha256 = await admin.publishStatistics(quarter, timeZone);
    printOutcome(
      flags,
      { quarter, sha256 },
      `${quarter} is published and does not change any more. SHA-256 ${sha256}`,
    );
  }, flags);

interface AnnounceFlags extends ReasonFlag, JsonFlag {
  readonly from: string;
  readonly to: string;
  readonly el: string;
  readonly en: string;
}

export const instantIn = (text: string): number => {
  const at = parseInstant(text);
  if (at === undefined) throw new CommandError(`"${text}" is not a moment such as 2026-12-06T02:00:00+02:00`);
  return at;
};

const announceOne = (flags: AnnounceFlags): Promise<void> =>
  withAdmin(async (admin) => {
    const { el: textEl, en: textEn } = flags;
    const planned = { from: instantIn(flags.from), to: instantIn(flags.to), textEl, textEn };
    const id = await admin.announceDowntime(planned);
    printOutcome(flags, { id }, `Planned downtime ${id} is announced.`);
  }, flags);

const list = ({ json }: JsonFlag): Promise<void> =>
  withAdmin(async (admin) => {
    const rows = (await admin.plannedDowntimes()).map(({ from, to, announcedAt, cancelledAt, ...row }) => ({
      ...{ id: row.id, from: instantText(from), to: instantText(to), announced: instantText(announcedAt) },
      cancelled: cancelledAt === null ? '' : instantText(cancelledAt),
      text: row.textEn,
    }));
    if (json) printJson(rows);
    else printTable(rows, 'Nothing is planned: trapeza downtime announce --help');
  });

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

/** What everybody reads. */
export const textOptions = (command: Command): Command =>
  command
    .requiredOption('--el <text>', 'what everybody reads on the status page, in Greek')
    .requiredOption('--en <text>', 'the same in English');

export const registerDowntime = (program: Command): void => {
  const downtime = program.command('downtime').description('planned downtime: announce, list, cancel');
  textOptions(withReason(downtime.command('announce')))
    .description('announce when the interface will be away: on the status page and to every third party')
    .requiredOption('--from <moment>', 'such as 2026-12-06T02:00:00+02:00')
    .requiredOption('--to <moment>', 'its end')
    .option('--json', 'print JSON')
    .action(announceOne);
  downtime.command('list').description('list what is planned').option('--json', 'print JSON').action(list);
  withReason(downtime.command('cancel'))
    .description('cancel what was announced')
    .argument('<id>', 'id of the planned downtime')
    .action((id: string, flags: ReasonFlag) =>
      withAdmin(async (admin) => {
        await admin.cancelDowntime(id);
        print(`Planned downtime ${id} is cancelled.`);
      }, flags),
    );
};
