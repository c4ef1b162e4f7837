/** `trapeza consents`: what account holders have allowed, for the hotline, a court or a death: list, show, end. */

import type { Command } from 'commander';
import { type ConsentLine, type ConsentsOf, isOpen, notesOf, ownerOf } from '../../admin/consents.js';
import { noteRead } from '../../admin/readings.js';
import { eachPermissionRecord, permissionObjects } from '../../consent/takeout.js';
import { instantText } from '../../lib/instant.js';
import type { Db } from '../../store/db.js';
import { CommandError, type JsonFlag, print, printJson, printTable } from '../output.js';
import { type ReasonFlag, withAdmin, withContext, withReason } from '../store.js';
import { bankTimeOf, findPerson } from '../wings.js';

interface Whose {
  readonly psu?: string;
  readonly account?: string;
}

interface EndFlags extends Whose, JsonFlag {
  readonly by: string;
  readonly reason: string;
}

const LONGEST = 140;

const wantedOf = async (db: Db, { psu, account }: Whose): Promise<ConsentsOf> => {
  if (psu !== undefined && account === undefined) return { psuId: (await findPerson(db, psu)) ?? psu };
  if (account !== undefined && psu === undefined) return { account: account.replaceAll(' ', '') };
  throw new CommandError('say whose consents: either --psu or --account');
};

const lineOf = ({ createdAt, expiresAt, submittedAt, ...line }: ConsentLine): object => ({
  ...line,
  created: instantText(createdAt),
  expires: expiresAt === null ? null : instantText(expiresAt),
});

interface ListFlags extends Whose, JsonFlag, ReasonFlag {
  readonly all?: boolean;
}

const list = (flags: ListFlags): Promise<void> =>
  withAdmin(async (admin, _config, db, context) => {
    const found = await admin.consents(await wantedOf(db, flags));
    for (const psuId of new Set(found.map((line) => line.psuId)))
      await noteRead(context, 'consent.list', `person:${psuId}`);
    const rows = found.filter((line) => flags.all || isOpen(line)).map(lineOf);
    if (flags.json) printJson(rows);
    else printTable(rows, flags.all ? 'There is no such consent.' : 'No consent is open. Others: --all');
  }, flags);

const show = (id: string, flags: ReasonFlag): Promise<void> =>
  withContext(async (context) => {
    const { db } = context;
    const psuId = await ownerOf(db, id);
    if (psuId === undefined) throw new CommandError(`there is no consent ${id}`);
    await noteRead(context, 'consent.open', `consent:${id}`);
    const records = eachPermissionRecord(db, psuId, await bankTimeOf(db), [{ id }]);
    const notes = (await notesOf(db, id)).map(({ at, note }) => ({ at: instantText(at), note }));
    for await (const record of permissionObjects(db, psuId, records))
      printJson({ accountHolder: psuId, ...record, notes });
  }, flags);

const outcomeTexts = {
  ended: 'ended',
  over: 'was over already',
  submitted: 'not ended: its payment is under way (trapeza payments)',
  unknown: 'not found',
} as const;

const text = (flag: string, value: string): string => {
  const trimmed = value.trim();
  if (trimmed === '' || trimmed.length > LONGEST)
    throw new CommandError(`${flag} has 1 to ${LONGEST} characters: it stays in the history of the consent`);
  return trimmed;
};

const end = (id: string | undefined, flags: EndFlags): Promise<void> =>
  withAdmin(async (admin, _config, db) => {
    const act = { by: text('--by', flags.by), why: text('--reason', flags.reason) };
    const isNamed = flags.psu !== undefined || flags.account !== undefined;
    if ((id === undefined) !== isNamed)
      throw new CommandError('say what to end: the id of one consent, or --psu or --account for all of them');
    const ids =
      id === undefined
        ? (await admin.consents(await wantedOf(db, flags))).filter(isOpen).map((line) => line.id)
        : [id];
    const outcomes: { id: string; outcome: keyof typeof outcomeTexts }[] = [];
    if (ids.length === 0 && !flags.json) print('No consent is open.');
    for (const each of ids) {
      const outcome = await admin.endConsent(each, act);
      outcomes.push({ id: each, outcome });
      if (!flags.json) print(`${each} ${outcomeTexts[outcome]}`);
      if (outcome === 'submitted' || outcome === 'unknown') process.exitCode = 1;
    }
    if (flags.json) printJson(outcomes);
  });

export const registerConsents = (program: Command): void => {
  const consents = program
    .command('consents')
    .description('what account holders have allowed: list, show, end');
  const whose = (command: Command): Command =>
    command
      .option('--psu <person>', 'of this account holder (the sub of tokens; in the sandbox a user name too)')
      .option('--account <account>', 'that open this account: its IBAN, its BBAN or the id of the core');
  withReason(whose(consents.command('list')))
    .description('list open consents, newest first')
    .option('--all', 'also those that are over')
    .option('--json', 'print JSON')
    .action(list);
  withReason(consents.command('show'))
    .description('print everything about a consent as JSON: accounts, history, uses, and notes of the bank')
    .argument('<id>', 'id of the consent')
    .option('--json', 'print JSON, as without it')
    .action(show);
  whose(consents.command('end'))
    .description(
      'end a consent, or all open ones; third parties and account holders see that the bank did it',
    )
    .argument('[id]', 'id of the consent')
    .requiredOption('--by <operator>', 'who ends it')
    .requiredOption('--reason <text>', 'why, for the history; no third party sees it')
    .option('--json', 'print JSON')
    .action(end);
};
