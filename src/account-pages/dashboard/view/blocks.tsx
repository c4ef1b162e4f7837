/** The pages of blocked third parties: the list, what a block does, and what its end does. */
import type { Block } from '../../../consent/blocks.js';
import type { PartyStanding } from '../../../consent/parties.js';
import type { PageAnswer } from '../../../http/pages.js';
import { undisguised } from '../../../lib/format/undisguised.js';
import { Callout } from '../../../web/components/blocks.js';
import { flowPage } from '../../../web/components/flow-shell.js';
import { formAction } from '../../../web/form-token.js';
import { momentText } from '../../approve/format.js';
import { Sentences } from '../../approve/view/sections.js';
import { BLOCKS, blockPath, EVERYONE, type HolderVisit } from '../parts.js';
import { Back, boardPage, Visitor } from './board.js';
import { numberOf } from './pages.js';

export const blockedWho = ({ messages }: HolderVisit, { tpp }: Pick<Block, 'tpp'>): string =>
  tpp?.name ?? messages.blocks.all;

const sinceText = ({ messages, asking, timeZone }: HolderVisit, { at }: Block): string =>
  messages.blocks.since(momentText(at, asking.locale, timeZone));

const BlockRow = ({ visit, block }: { readonly visit: HolderVisit; readonly block: Block }) => {
  const name = blockedWho(visit, block);
  return (
    <li class="row">
      <div class="row-what">
        <strong>{name}</strong>
        <p class="quiet small">{sinceText(visit, block)}</p>
      </div>
      <a class="button second" href={visit.frame.href(blockPath(block.tpp?.id ?? EVERYONE, '/lift'))}>
        {visit.messages.blocks.lift.go}
        <span class="unseen">{`: ${name}`}</span>
      </a>
    </li>
  );
};

interface BlocksView {
  readonly visit: HolderVisit;
  readonly blocks: readonly Block[];
  /** What has become of the block that was just added or lifted. */
  readonly outcome: Block | 'lifted' | undefined;
}

const Outcome = ({ visit, outcome }: BlocksView) => {
  if (outcome === undefined) return null;
  const { blocks: texts } = visit.messages;
  const [heading, text] =
    outcome === 'lifted'
      ? [texts.lifted, texts.liftedText]
      : [texts.added(blockedWho(visit, outcome)), texts.addedText];
  return (
    <div role="status">
      <Callout meaning="good" heading={heading}>
        <p>{text}</p>
      </Callout>
    </div>
  );
};

export const blocksPage = (view: BlocksView): PageAnswer => {
  const { visit, blocks } = view;
  const { blocks: texts } = visit.messages;
  return boardPage({
    visit,
    section: 'permissions',
    title: texts.title,
    path: BLOCKS,
    children: (
      <div class="stack-wide">
        <div class="board-head">
          <Back visit={visit} />
          <h1>{texts.title}</h1>
          <p class="lead">{texts.lead}</p>
          <Outcome {...view} />
        </div>
        {blocks.length === 0 ? (
          <p class="card quiet">{texts.none}</p>
        ) : (
          <ul class="rows plain">
            {blocks.map((block) => (
              <BlockRow key={block.tpp?.id ?? EVERYONE} visit={visit} block={block} />
            ))}
          </ul>
        )}
        {blocks.every(({ tpp }) => tpp) && (
          <p class="actions">
            <a class="button second" href={visit.frame.href(blockPath(EVERYONE, '/add'))}>
              {texts.blockAll}
            </a>
          </p>
        )}
      </div>
    ),
  });
};

const consequences = (
  visit: HolderVisit,
  id: string,
  parties: readonly PartyStanding[],
): readonly string[] => {
  const { add } = visit.messages.blocks;
  const active = parties.reduce((sum, party) => sum + party.active, 0);
  const apps = parties.map(({ applicationName }) => undisguised(applicationName)).join(', ');
  return [
    ...(id === EVERYONE ? [add.all.noMore] : [add.one.apps(apps), add.one.noMore]),
    add.ends(active, numberOf(visit, active)),
    add.sent,
    add.lift,
  ];
};

/** What happens, before it does. */
export const blockPage = (visit: HolderVisit, id: string, parties: readonly PartyStanding[]): PageAnswer => {
  const { frame, lang, session, cookies, messages } = visit;
  const { add } = messages.blocks;
  const isAll = id === EVERYONE;
  const title = isAll ? add.all.title : add.one.title(undisguised(parties[0]?.tppName ?? ''));
  const path = blockPath(id, '/add');
  const children = (
    <>
      <Visitor visit={visit} />
      <div class="page-head">
        <h1>{title}</h1>
      </div>
      <div class="sections">
        <section class="card">
          <Sentences sentences={consequences(visit, id, parties)} />
        </section>
        <form class="decision" method="post" action={formAction(frame.href(path), session.formToken)}>
          <div class="actions">
            <button class="button" type="submit">
              {add.yes}
            </button>
            <a class="button second" href={frame.href(BLOCKS)}>
              {add.no}
            </a>
          </div>
        </form>
      </div>
    </>
  );
  return flowPage({ frame, lang, title, path, children }, { cookies });
};

/** What is lifted, above the authentication. */
export const LiftFacts = ({ visit, block }: { readonly visit: HolderVisit; readonly block: Block }) => {
  const { lift } = visit.messages.blocks;
  return (
    <section class="card">
      <p>
        <strong class="block">{blockedWho(visit, block)}</strong>
        <span class="quiet small">{sinceText(visit, block)}</span>
      </p>
      <p>{lift.after[block.tpp ? 'one' : 'all']}</p>
      <p>
        <a href={visit.frame.href(BLOCKS)}>{lift.keep}</a>
      </p>
    </section>
  );
};

/** Says on other pages that a third party is blocked. */
export const BlockedNote = ({ visit, blocks }: Omit<BlocksView, 'outcome'>) => {
  if (blocks.length === 0) return null;
  const { blocks: texts } = visit.messages;
  const named = blocks.flatMap(({ tpp }) => tpp?.name ?? []);
  const isAll = named.length < blocks.length;
  return (
    <Callout meaning="notice" heading={isAll ? texts.allAre : texts.someAre}>
      {!isAll && <p>{named.slice(0, 5).join(', ') + (named.length > 5 ? ' …' : '')}</p>}
      <p>
        <a href={visit.frame.href(BLOCKS)}>{texts.manage}</a>
      </p>
    </Callout>
  );
};
