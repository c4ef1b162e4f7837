/** `trapeza tpp unattended`: how often a day one third party may read without the account holder. */
import { Argument, type Command } from 'commander';
import { isUnattended, MOST_UNATTENDED, UNATTENDED_BY_LAW } from '../../consent/unattended-reads.js';
import { parsedBy, print } from '../output.js';
import { type ReasonFlag, withAdmin, withReason } from '../store.js';

const readRate = (text: string): number | undefined => {
  if (text === 'default') return undefined;
  if (!isUnattended(text)) throw new Error(`${UNATTENDED_BY_LAW} to ${MOST_UNATTENDED}, or default`);
  return Number(text);
};

export const addUnattendedCommand = (tpp: Command): void => {
  const reads = new Argument('<reads>', 'of one kind of data and account in 24 hours, or default');
  withReason(tpp.command('unattended'))
    .description('set how often a third party may read without the account holder; holds for new consents')
    .argument('<id>', 'id of the third party')
    .addArgument(reads.argParser(parsedBy(readRate)))
    .action((id: string, perDay: number | undefined, flags: ReasonFlag) =>
      withAdmin(async (admin) => {
        await admin.setUnattended(id, { perDay });
        print(
          perDay === undefined
            ? `Unattended reads of third party ${id}: as TRAPEZA_UNATTENDED_PER_DAY says.`
            : `Unattended reads of third party ${id}: ${perDay} a day, or TRAPEZA_UNATTENDED_PER_DAY if that is more.`,
        );
      }, flags),
    );
};
