/** Third parties that a person blocks, one or all: at once after a confirmation, and lifted with an authentication alone. */
import { type Block, blocksOf, blockThirdParty, liftBlock } from '../../consent/blocks.js';
import { type Party, partiesOf, standingsOf } from '../../consent/parties.js';
import { type PageAnswer, seeOther } from '../../http/pages.js';
import { sha256 } from '../../lib/hash.js';
import { ask, type Confirm, comeBack, type Matter, submit, waitForApp } from './confirmation.js';
import { BLOCKS, blockPath, type DashboardParts, EVERYONE, type HolderVisit } from './parts.js';
import { blockedWho, blockPage, blocksPage, LiftFacts } from './view/blocks.js';
import { notFoundPage } from './view/message.js';

/** Names what was blocked or lifted: the page then says whether it is blocked now. */
const TRIED = 'tried';

const idIn = ({ request }: HolderVisit): string => request.params.id ?? '';

const idOf = ({ tpp }: Block): string => tpp?.id ?? EVERYONE;

const toBlocks = ({ frame }: HolderVisit, id: string): PageAnswer =>
  seeOther(frame.href(`${BLOCKS}?${TRIED}=${encodeURIComponent(id)}`));

export const listBlocks = async ({ db }: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const blocks = await blocksOf(db, visit.holder.id);
  const tried = visit.request.query[TRIED];
  const outcome = tried === undefined ? undefined : (blocks.find((each) => idOf(each) === tried) ?? 'lifted');
  return blocksPage({ visit, blocks, outcome });
};

/** Only who has ever asked this person for something; others look absent. */
const concerned = async (
  parts: DashboardParts,
  visit: HolderVisit,
): Promise<readonly Party[] | undefined> => {
  const parties = await partiesOf(parts.db, visit.holder.id, await parts.bankTime());
  if (idIn(visit) === EVERYONE) return parties;
  const own = parties.filter(({ tppId }) => tppId === idIn(visit));
  return own.length > 0 ? own : undefined;
};

export const confirmBlock = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const parties = await concerned(parts, visit);
  if (!parties) return notFoundPage(visit);
  const standings = await standingsOf(parts.db, visit.holder.id, await parts.bankTime(), parties);
  return blockPage(visit, idIn(visit), standings);
};

export const addBlock = async (parts: DashboardParts, visit: HolderVisit): Promise<PageAnswer> => {
  const id = idIn(visit);
  if (!(await concerned(parts, visit))) return notFoundPage(visit);
  const blocked = id === EVERYONE ? 'all' : { tppId: id };
  await blockThirdParty(parts.db, visit.holder.id, blocked, await parts.bankTime());
  return toBlocks(visit, id);
};

/** The authentication stands for the end of this very block: not of another, nor of the same third party at another time. */
const liftOf = ({ db }: DashboardParts, visit: HolderVisit, block: Block): Matter => {
  const { lift } = visit.messages.blocks;
  const { tpp, at } = block;
  const id = idOf(block);
  const path = blockPath(id, '/lift');
  return {
    page: path,
    action: path,
    shownHash: sha256(`lift:${JSON.stringify([id, blockedWho(visit, block), at])}`),
    texts: { ...lift.texts, title: tpp ? lift.one(tpp.name) : lift.all },
    children: <LiftFacts visit={visit} block={block} />,
    complete: async () => {
      await liftBlock(db, visit.holder.id, tpp ? { tppId: tpp.id } : 'all');
      return toBlocks(visit, id);
    },
  };
};

const lifting = (step: Confirm) => async (parts: DashboardParts, visit: HolderVisit) => {
  const blocks = await blocksOf(parts.db, visit.holder.id);
  const block = blocks.find((each) => idOf(each) === idIn(visit));
  return block ? step(parts, visit, liftOf(parts, visit, block)) : toBlocks(visit, idIn(visit));
};

export const liftSteps = {
  page: lifting(ask),
  submit: lifting(submit),
  waiting: lifting(waitForApp),
  returned: lifting(comeBack),
};
