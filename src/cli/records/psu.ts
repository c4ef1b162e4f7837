/** `trapeza psu export`: everything that is stored about an account holder, for who asks for it (GDPR Art. 15 and 20). */

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { messages as approvalMessages } from '../../account-pages/approve/messages/index.js';
import { csvOf } from '../../account-pages/dashboard/export.js';
import { messages } from '../../account-pages/dashboard/messages/index.js';
import { noteExport } from '../../admin/readings.js';
import type { Config } from '../../config/config.js';
import {
  accessObjects,
  blockObjects,
  eachPermissionRecord,
  fundsObjects,
  permissionObjects,
} from '../../consent/takeout.js';
import type { BankTime } from '../../lib/clock.js';
import { inChunks, jsonDocument } from '../../lib/format/json-stream.js';
import { instantText } from '../../lib/instant.js';
import type { PsuId } from '../../model/ids.js';
import { eachGrantOf } from '../../oauth/grants.js';
import { sessionsOf } from '../../psu/sessions.js';
import type { Db } from '../../store/db.js';
import { openPrivately } from '../../store/private-files.js';
import { CommandError, jsonFormatOption, print } from '../output.js';
import { now, type ReasonFlag, withContext, withReason } from '../store.js';
import { bankTimeOf, findPerson } from '../wings.js';

const formats = ['json', 'csv'] as const;

interface ExportFlags extends ReasonFlag {
  readonly format: (typeof formats)[number];
  readonly out?: string;
}

/** Any record of the person will do; the account holders themselves are the bank's. */
const KNOWN = `
  select 1 as found where exists (select 1 from consents where psu_id = ?)
    or exists (select 1 from funds_confirmations where psu_id = ?) or exists (select 1 from data_accesses where psu_id = ?)
    or exists (select 1 from psu_sessions where psu_id = ?)`;

const isKnown = async (db: Db, psuId: PsuId): Promise<boolean> => {
  if (await db.one(KNOWN, [psuId, psuId, psuId, psuId])) return true;
  for await (const _grant of eachGrantOf(db, psuId)) return true;
  return false;
};

const psuIdOf = async (db: Db, person: string): Promise<string> => {
  const named = await findPerson(db, person);
  if (named !== undefined) return named;
  if (await isKnown(db, person)) return person;
  throw new CommandError(`nothing is stored about an account holder ${person}`);
};

async function* sessionObjects(db: Db, psuId: PsuId): AsyncGenerator<object, void, undefined> {
  for (const { createdAt, seenAt, scaAt } of await sessionsOf(db, psuId))
    yield {
      createdAt: instantText(createdAt),
      lastSeenAt: instantText(seenAt),
      codeGivenAt: scaAt === null ? null : instantText(scaAt),
    };
}

async function* grantObjects(db: Db, psuId: PsuId): AsyncGenerator<object, void, undefined> {
  for await (const { clientId, createdAt, expiresAt } of eachGrantOf(db, psuId))
    yield { clientId, createdAt: instantText(createdAt), expiresAt: instantText(expiresAt) };
}

const takeoutText = (
  db: Db,
  psuId: PsuId,
  bankNow: BankTime,
  format: ExportFlags['format'],
  { timeZone }: Config,
): AsyncGenerator<string, void, undefined> =>
  format === 'csv'
    ? csvOf('everything', {
        db,
        psuId,
        bankNow,
        filter: {},
        tongue: { lang: 'en', messages: messages.en, asking: approvalMessages.en, timeZone },
      })
    : jsonDocument({
        accountHolder: psuId,
        exportedAt: instantText(now()),
        permissions: permissionObjects(db, psuId, eachPermissionRecord(db, psuId, bankNow)),
        fundsConfirmations: fundsObjects(db, psuId),
        accesses: accessObjects(db, psuId),
        blocks: blockObjects(db, psuId),
        sessions: sessionObjects(db, psuId),
        grants: grantObjects(db, psuId),
      });

const runExport = (person: string, { format, out, reason }: ExportFlags): Promise<void> =>
  withContext(
    async (context) => {
      const { config, db } = context;
      const psuId = await psuIdOf(db, person);
      await noteExport(context, psuId);
      const text = Readable.from(inChunks(takeoutText(db, psuId, await bankTimeOf(db), format, config)));
      if (out === undefined) {
        await pipeline(text, process.stdout, { end: false });
        return;
      }
      // Personal data: for the operator's eyes alone.
      await pipeline(text, createWriteStream(out, { fd: openPrivately(out) }));
      print(`Everything about account holder ${psuId} was written to ${out}.`);
    },
    { reason },
  );

export const registerPsu = (program: Command): void => {
  const psu = program.command('psu').description('account holders: export');
  withReason(psu.command('export'))
    .description(
      'write everything that is stored about an account holder; CSV has the lists, JSON everything',
    )
    .argument('<person>', 'id of the account holder (the sub of tokens); in the sandbox a user name too')
    .addOption(new Option('--format <format>', 'the format').choices([...formats]).default('json'))
    .addOption(jsonFormatOption())
    .option('--out <file>', 'write to a file instead of the standard output')
    .action(runExport);
};
