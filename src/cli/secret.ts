/** `trapeza secret`: how far a change of TRAPEZA_SECRET has come, and the step that makes the old one superfluous. */
import type { Command } from 'commander';
import { type SealedLine, type SecretStatus, sealedKinds, secretStatus } from '../admin/secret.js';
import { MINUTE } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import { type JsonFlag, print, printJson, printOutcome, printTable } from './output.js';
import { now, type ReasonFlag, vaultOf, withAdmin, withMigratedDb, withReason } from './store.js';
import { extensionSealedOf } from './wings.js';

const rowOf = ({ kind, version, state, count, unopened, lastsMs }: SealedLine) => ({
  what: kind,
  secret: version,
  version: state,
  count,
  'not opened': unopened,
  note:
    lastsMs === undefined || state === 'first' ? '' : `end by themselves within ${lastsMs / MINUTE} minutes`,
});

const UNOPENED =
  'Some of it cannot be opened: list the missing secret as well (NEW,OLD), then run "trapeza secret reseal". Without that secret: roll the signing keys, and make new links for the operators.';

/** What is to be done next. */
const verdictOn = ({ versions, sealed, unopened, othersUntil, resealedAt }: SecretStatus): string => {
  if (unopened > 0) return UNOPENED;
  if (versions.length === 1) return 'Everything is under the one secret that is listed.';
  if (sealed.some(({ state, lastsMs }) => state === 'listed' && lastsMs === undefined))
    return 'Once every node lists these secrets with the new one first: trapeza secret reseal';
  if (resealedAt === undefined || othersUntil === undefined)
    return 'Nothing is sealed under an older secret. Run "trapeza secret reseal" once every node lists the new one first: it notes since when.';
  if (othersUntil > now())
    return `The older secret can be left out from ${instantText(othersUntil)} on: until then people and third parties have links and codes that were made with it.`;
  return 'The older secret can be left out: nothing needs it any more.';
};

const cardsLine = ({ cards, keptCardKeys }: SecretStatus): string => {
  if (cards.count === 0) return 'No consent in force has a card number.';
  const until = cards.lastEnds === null ? '' : `, the last one until ${instantText(cards.lastEnds)}`;
  const older =
    cards.older === 0
      ? 'none was made before the secret was changed'
      : `${cards.older} made before the secret was changed${until}`;
  const kept =
    keptCardKeys.length === 0 ? '' : `; found by keys that the store keeps (${keptCardKeys.join(', ')})`;
  return `Consents with a card number: ${cards.count}, ${older}${kept}.`;
};

const showStatus = ({ json }: JsonFlag): Promise<void> =>
  withMigratedDb(async (db, config) => {
    const kinds = [...sealedKinds, ...(await extensionSealedOf(db))];
    const status = await secretStatus({ db, vault: vaultOf(config), kinds, now: now() });
    const verdict = verdictOn(status);
    if (json) printJson({ ...status, verdict });
    else {
      print(`Listed secrets, by fingerprint, the first one makes: ${status.versions.join(', ')}`);
      printTable(status.sealed.map(rowOf), 'Nothing is sealed yet.');
      print(cardsLine(status));
      print(verdict);
    }
    if (status.unopened > 0) process.exitCode = 1;
  });

const reseal = (flags: JsonFlag & ReasonFlag): Promise<void> =>
  withAdmin(async (admin, config, db) => {
    const vault = vaultOf(config);
    const kinds = [...sealedKinds, ...(await extensionSealedOf(db))];
    const resealed = await admin.resealStore(vault, kinds);
    const status = await secretStatus({ db, vault, kinds, now: now() });
    const done = Object.entries(resealed).map(([kind, count]) => `${kind}: ${count}`);
    const line =
      done.length === 0
        ? 'Everything was under the first secret already.'
        : `Sealed anew: ${done.join(', ')}.`;
    const verdict = verdictOn(status);
    printOutcome(flags, { resealed, ...status, verdict }, `${line}\n${verdict}`);
    if (status.unopened > 0) process.exitCode = 1;
  }, flags);

export const registerSecret = (program: Command): void => {
  const secret = program.command('secret').description('TRAPEZA_SECRET and its versions: status, reseal');
  secret
    .command('status')
    .description('count what is sealed under which version, and say whether an older one is still needed')
    .option('--json', 'print JSON')
    .action(showStatus);
  withReason(secret.command('reseal'))
    .description(
      'seal everything under the first version, while nodes run; once every node lists the new one first',
    )
    .option('--json', 'print JSON')
    .action(reseal);
};
