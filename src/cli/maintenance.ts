/** `trapeza maintenance`: close the interface to everybody outside, and open it again. */
import { type Command, Option } from 'commander';
import { closingName } from '../config/operator-settings.js';
import { instantText, parseInstant } from '../lib/instant.js';
import { CommandError, type JsonFlag, parsedBy, print, printJson, printOutcome } from './output.js';
import { type ReasonFlag, withAdmin, withReason } from './store.js';

interface OnFlags extends ReasonFlag, JsonFlag {
  readonly until?: string;
  readonly message?: string;
}

interface ClosingFlags extends ReasonFlag, JsonFlag {
  readonly closing?: string;
}

const instantIn = (text: string): number => {
  const at = parseInstant(text);
  if (at === undefined) throw new CommandError(`"${text}" is not a moment such as 2026-12-06T02:00:00+02:00`);
  return at;
};

const on = (flags: OnFlags): Promise<void> =>
  withAdmin(async (admin) => {
    const until = flags.until === undefined ? undefined : instantIn(flags.until);
    await admin.closeInterface({ until, message: flags.message });
    const line =
      'The interface is closed on every node within five seconds: trapeza maintenance off opens it.';
    printOutcome(flags, { closed: true }, line);
  }, flags);

const off = (flags: ClosingFlags): Promise<void> =>
  withAdmin(async (admin, { maintenance }) => {
    const closing = flags.closing ?? maintenance;
    await admin.openInterface({ closing });
    const also = closing === undefined ? '' : `, also on those with TRAPEZA_MAINTENANCE=${closing}`;
    const line = `The interface is open again on every node within five seconds${also}.`;
    printOutcome(flags, { closed: false, released: closing ?? null }, line);
  }, flags);

const show = ({ closing = undefined, json }: ClosingFlags): Promise<void> =>
  withAdmin(async (admin, { maintenance }) => {
    const name = closing ?? maintenance;
    const { closure, isReleased } = await admin.maintenance(name);
    const facts = {
      closed: closure !== undefined || !isReleased,
      since: closure === undefined ? null : instantText(closure.since),
      until: closure?.until == null ? null : instantText(closure.until),
      message: closure?.message ?? null,
      closing: name ?? null,
      released: name === undefined ? null : isReleased,
    };
    if (json) return printJson(facts);
    if (closure === undefined) print('No operator has closed the interface.');
    else
      print(
        `Closed since ${facts.since}${facts.until === null ? '' : `, until ${facts.until} as callers read`}.`,
      );
    if (name !== undefined)
      print(
        isReleased
          ? `The closing ${name} is released: nodes with TRAPEZA_MAINTENANCE=${name} are open.`
          : `Nodes with TRAPEZA_MAINTENANCE=${name} are closed until it is released: trapeza maintenance off`,
      );
  });

const closingOption = (): Option =>
  new Option(
    '--closing <name>',
    'of nodes that were started closed (default: TRAPEZA_MAINTENANCE)',
  ).argParser(parsedBy(closingName));

export const registerMaintenance = (program: Command): void => {
  const maintenance = program
    .command('maintenance')
    .description('close the interface to everybody outside, and open it again: on, off, status');
  withReason(maintenance.command('on'))
    .description('answer every call and page with 503, on all nodes; status page and console go on')
    .option('--until <moment>', 'what callers read, such as 2026-12-06T04:00:00Z; it opens nothing')
    .option('--message <text>', 'a sentence for third parties')
    .option('--json', 'print JSON')
    .action(on);
  withReason(maintenance.command('off'))
    .description('open it again, also on nodes that were started closed')
    .addOption(closingOption())
    .option('--json', 'print JSON')
    .action(off);
  maintenance
    .command('status')
    .description(
      'show whether it is closed, and for nodes that were started closed whether that was released',
    )
    .addOption(closingOption())
    .option('--json', 'print JSON')
    .action(show);
};
