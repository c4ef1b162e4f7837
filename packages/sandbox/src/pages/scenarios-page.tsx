/** The catalogue of scenarios: every name for `Sandbox-Scenario` with its outcome, and which person shows which case. */

import type { ComponentChildren } from 'preact';
import { likelyProblems, type Operation, problems } from 'trapeza/base';
import {
  CodeBlock,
  developerLanguageOf,
  everybody,
  type Frame,
  htmlPage,
  inLanguage,
  type Language,
  languageOf,
  type Page,
  type PageAnswer,
  Prose,
  Records,
  twinOf,
} from 'trapeza/pages';
import type { DemoPsu } from '../bank/people.js';
import { preparation } from '../preparation.js';
import { coreFaults, lostAnswers, orderWishes, refusals } from '../scenarios/catalogue.js';
import { SCENARIOS } from '../scenarios/rehearsal.js';
import { scenarioTexts } from './scenario-texts.js';

export interface Catalogue {
  /** Those of the interface. */
  readonly operations: () => readonly Operation[];
  readonly people: () => readonly DemoPsu[];
  /** Absent in front of a core, whose orders go their own ways. */
  readonly hasOrders: boolean;
}

interface Props extends Catalogue {
  readonly frame: Frame;
  readonly lang: Language;
}

const call = (baseUrl: string, scenario: string): string =>
  `${preparation(baseUrl, '')}\n${[
    'curl -i $BASE/psd2/v1/opendata/atm',
    '-H "Ocp-Apim-Subscription-Key: $SUBSCRIPTION_KEY"',
    '-H "Authorization: Bearer $TOKEN"',
    '-H "X-Request-ID: $(id)"',
    `-H 'Sandbox-Scenario: ${scenario}'`,
  ].join(' ')}`;

/** Texts of the interface, which are English on every page. */
const English = ({ lang, text }: { readonly lang: Language; readonly text: string }): ComponentChildren =>
  lang === 'en' ? text : <span lang="en">{text}</span>;

/** Where a caller is likely to meet it. */
const FEW = 4;
const placesOf = (slug: (typeof refusals)[number], { operations, lang }: Props): ComponentChildren => {
  const { everywhere, inOperations } = scenarioTexts[lang];
  const all = operations();
  const found = all.filter((operation) => likelyProblems(operation).includes(slug));
  if (found.length === 0 || found.length === all.length) return everywhere;
  if (found.length > FEW) return inOperations(found.length);
  return <English lang={lang} text={found.map(({ summary }) => summary).join('; ')} />;
};

interface ListProps {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [string, ComponentChildren])[];
  readonly children?: ComponentChildren;
}

const List = ({ id, title, text, columns, rows, children }: ListProps) => (
  <section class="stack" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    <p>
      <Prose text={text} />
    </p>
    {children}
    <Records
      caption={title}
      shape="pairs"
      columns={columns}
      rows={rows.map(([name, outcome]) => ({ key: name, cells: [<code key={name}>{name}</code>, outcome] }))}
    />
  </section>
);

const Refusals = (props: Props) => {
  const { frame, lang } = props;
  const texts = scenarioTexts[lang];
  return (
    <section class="stack" aria-labelledby="refusals">
      <h2 id="refusals">{texts.refusals}</h2>
      <p>{texts.refusalsText}</p>
      <Records
        caption={texts.refusals}
        shape="equal"
        columns={texts.refusalColumns}
        rows={refusals.map((slug) => ({
          key: slug,
          cells: [
            <a key={slug} href={frame.href(`/problems/${slug}`)}>
              <code>{slug}</code>
            </a>,
            <>
              {problems[slug].status} <code class="block small">{problems[slug].code}</code>
            </>,
            <English key={slug} lang={lang} text={problems[slug].when} />,
            placesOf(slug, props),
          ],
        }))}
      />
    </section>
  );
};

const Orders = ({ lang }: Props) => {
  const { orders, ordersText, orderTexts, kept, rejected, notBooked, listColumns } = scenarioTexts[lang];
  const orderOutcome = (status: string): string =>
    `${orderTexts[status]}${status === 'ACSC' || status === 'CANC' ? '' : kept}`;
  return (
    <List
      id="orders"
      title={orders}
      text={ordersText}
      columns={listColumns}
      rows={[...orderWishes].map(([name, wish]) => [
        name,
        wish.status === 'RJCT' ? (
          <>
            {rejected(wish.reason.code)} <English lang={lang} text={wish.reason.text} /> {notBooked}
          </>
        ) : (
          orderOutcome(wish.status)
        ),
      ])}
    />
  );
};

const People = ({ frame, lang, people }: Props) => {
  const texts = scenarioTexts[lang];
  return (
    <List
      id="people"
      title={texts.people}
      text={texts.peopleText}
      columns={texts.peopleColumns}
      rows={people().map(({ username, about }) => [username, about[lang]])}
    >
      <p>
        <a href={frame.href('/sandbox/credentials')}>{texts.toCredentials}</a>
      </p>
    </List>
  );
};

const Content = (props: Props) => {
  const { frame, lang, hasOrders } = props;
  const texts = scenarioTexts[lang];
  return (
    <>
      <div class="page-head">
        <h1>{texts.title}</h1>
        <p class="lead">{texts.lead}</p>
      </div>
      <div class="stack-wide">
        <section class="stack" aria-labelledby="try">
          <h2 id="try">{texts.tryOne}</h2>
          <p>
            <Prose text={texts.tryText} />
          </p>
          <CodeBlock name={texts.terminal} code={call(frame.baseUrl, 'quota-exceeded')} />
        </section>
        <Refusals {...props} />
        <List
          id="core"
          title={texts.core}
          text={texts.coreText}
          columns={texts.listColumns}
          rows={coreFaults.map((name) => [name, texts.coreFaults[name]])}
        />
        <List
          id="answers"
          title={texts.answers}
          text={texts.answersText}
          columns={texts.listColumns}
          rows={lostAnswers.map((name) => [name, texts.lostAnswers[name]])}
        />
        {hasOrders && <Orders {...props} />}
        <People {...props} />
      </div>
    </>
  );
};

export const scenariosPage = (catalogue: Catalogue, frame: Frame, lang: Language): PageAnswer =>
  htmlPage({
    frame,
    lang,
    title: scenarioTexts[lang].title,
    description: scenarioTexts[lang].lead,
    path: SCENARIOS,
    children: <Content {...catalogue} frame={frame} lang={lang} />,
  });

/** The page, and its twin in Markdown. */
export const scenariosPages = (catalogue: Catalogue & { readonly frame: () => Frame }): readonly Page[] => {
  const hasTwin = (path: string): boolean => /^\/(docs|problems)\//.test(path);
  const page = (lang: Language): PageAnswer => scenariosPage(catalogue, catalogue.frame(), lang);
  const twin = (lang: Language): PageAnswer =>
    twinOf(String(page(lang).body), { frame: catalogue.frame(), lang, hasTwin });
  return [
    {
      method: 'GET',
      path: SCENARIOS,
      audience: everybody,
      render: (request) => inLanguage(request, page(languageOf(request))),
    },
    {
      method: 'GET',
      path: `${SCENARIOS}.md`,
      audience: everybody,
      render: (request) => {
        const lang = developerLanguageOf(request);
        return inLanguage(request, twin(lang), lang);
      },
    },
  ];
};
