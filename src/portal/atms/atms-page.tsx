/** The list of ATMs with its filters; the map comes second. */
import type { Atm } from '../../atms/atm.js';
import type { PageAnswer } from '../../http/pages.js';
import { undisguised } from '../../lib/format/undisguised.js';
import { type ErrorLine, ErrorSummary, errorId, FieldError } from '../../web/components/error-summary.js';
import { htmlPage } from '../../web/components/shell.js';
import type { Frame } from '../../web/frame.js';
import type { Language } from '../../web/language.js';
import { type Book, type Facet, facets, valuesOf } from './book.js';
import { OverviewMap } from './map.js';
import { messages, nameOf } from './messages.js';
import { type Findings, type Found, type Wish, wishPath } from './wish.js';

export interface ListProps {
  readonly frame: Frame;
  readonly lang: Language;
  readonly book: Book;
  readonly wish: Wish;
  readonly findings: Findings;
}

/** Enough to help the most; the others are typed. */
const MAX_TOWNS = 150;

export const headingOf = ({ name, address, atmid }: Atm): string =>
  undisguised(name ?? address.street ?? address.city ?? atmid ?? 'ATM');

export const addressText = ({ address }: Atm): string => {
  const street = [address.street, address.buildingNumber].filter(Boolean).join(' ');
  const city = [address.postalCode, address.city].filter(Boolean).join(' ');
  return undisguised([street, city, address.country].filter(Boolean).join(', '));
};

export const namesIn = (atm: Atm, facet: Facet, lang: Language): string =>
  valuesOf(atm, facet)
    .map((value) => undisguised(nameOf(facet, value, lang)))
    .join(' · ');

const kmText = (km: number, lang: Language): string =>
  new Intl.NumberFormat(lang, {
    style: 'unit',
    unit: km < 1 ? 'meter' : 'kilometer',
    maximumFractionDigits: km >= 1 && km < 10 ? 1 : 0,
  }).format(km < 1 ? km * 1000 : km);

const errorsOf = ({ faults }: Wish, lang: Language): readonly ErrorLine[] => {
  const { faults: texts, fields } = messages[lang];
  return Object.entries(faults).map(([field, fault]) => ({
    field: field === 'page' ? 'atm-near' : `atm-${field}`,
    text: fault === 'value' ? texts.value(fields[field as Facet]) : texts[fault],
  }));
};

const Choice = ({
  facet,
  props,
  errors,
}: {
  readonly facet: Facet;
  readonly props: ListProps;
  readonly errors: readonly ErrorLine[];
}) => {
  const { book, wish, lang } = props;
  const id = `atm-${facet}`;
  const isWrong = wish.faults[facet] !== undefined;
  return (
    <div class={isWrong ? 'field wrong' : 'field'}>
      <label for={id}>{messages[lang].fields[facet]}</label>
      <FieldError field={id} errors={errors} />
      <select id={id} name={facet} aria-describedby={isWrong ? errorId(id) : undefined}>
        <option value="">{messages[lang].any}</option>
        {book.values[facet].map((value) => (
          <option key={value} value={value} selected={wish.chosen[facet] === value}>
            {undisguised(nameOf(facet, value, lang))}
          </option>
        ))}
      </select>
    </div>
  );
};

const Search = (props: ListProps) => {
  const { frame, lang, book, wish } = props;
  const texts = messages[lang];
  const errors = errorsOf(wish, lang);
  const isWrong = wish.faults.near !== undefined;
  return (
    <form class="card atm-search" method="get" action={frame.href('/atms')}>
      <ErrorSummary heading={texts.wrong} errors={errors} />
      <div class={isWrong ? 'field wrong' : 'field'}>
        <label for="atm-near">{texts.near}</label>
        <p class="hint" id="atm-near-hint">
          {texts.nearHint}
        </p>
        <FieldError field="atm-near" errors={errors} />
        <input
          id="atm-near"
          name="near"
          list="atm-towns"
          maxLength={100}
          autocomplete="off"
          value={wish.near}
          aria-describedby={isWrong ? `${errorId('atm-near')} atm-near-hint` : 'atm-near-hint'}
        />
        <datalist id="atm-towns">
          {[...book.towns.values()].slice(0, MAX_TOWNS).map(({ name }) => (
            <option key={name} value={name}></option>
          ))}
        </datalist>
      </div>
      <details class="more" open={facets.some((facet) => wish.chosen[facet] ?? wish.faults[facet])}>
        <summary>{texts.filters}</summary>
        <div class="filter-fields">
          {facets.map((facet) => (
            <Choice key={facet} facet={facet} props={props} errors={errors} />
          ))}
        </div>
      </details>
      <div class="actions">
        <button class="button" type="submit">
          {texts.apply}
        </button>
        {wishPath(wish) !== '/atms' && (
          <a class="button second" href={frame.href('/atms')}>
            {texts.clear}
          </a>
        )}
      </div>
    </form>
  );
};

const Item = ({
  frame,
  lang,
  found,
}: {
  readonly frame: Frame;
  readonly lang: Language;
  readonly found: Found;
}) => {
  const { atm, km } = found;
  const [services, access] = [namesIn(atm, 'service', lang), namesIn(atm, 'access', lang)];
  return (
    <li class="card">
      <h3>
        <a href={frame.href(`/atms/${atm.id}`)}>{headingOf(atm)}</a>
      </h3>
      <p>
        {addressText(atm)}
        {km !== undefined && <strong class="atm-distance"> {kmText(km, lang)}</strong>}
      </p>
      {services && <p class="quiet small">{services}</p>}
      {access && <p class="quiet small">{access}</p>}
    </li>
  );
};

const Pages = ({ frame, lang, wish, findings }: ListProps) => {
  const { pages } = findings;
  if (pages === 1) return null;
  const texts = messages[lang];
  const page = Math.min(wish.page, pages);
  return (
    <nav class="actions atm-pages" aria-label={texts.pagesLabel}>
      {page > 1 && (
        <a class="button second" rel="prev" href={frame.href(wishPath(wish, page - 1))}>
          {texts.previous}
        </a>
      )}
      <span>{texts.page(page, pages)}</span>
      {page < pages && (
        <a class="button second" rel="next" href={frame.href(wishPath(wish, page + 1))}>
          {texts.next}
        </a>
      )}
    </nav>
  );
};

const Results = (props: ListProps) => {
  const { frame, lang, book, findings } = props;
  const { all, shown, place } = findings;
  const texts = messages[lang];
  return (
    <div class="atm-columns">
      <section class="stack" aria-labelledby="atm-count">
        <h2 id="atm-count">
          {texts.found(all.length)}
          {place && `, ${texts.nearest(place.name)}`}
        </h2>
        {all.length === 0 && <p>{book.entries.length === 0 ? texts.empty : texts.none}</p>}
        <ul class="plain stack">
          {shown.map((found) => (
            <Item key={found.atm.id} frame={frame} lang={lang} found={found} />
          ))}
        </ul>
        <Pages {...props} />
      </section>
      {book.entries.some(({ point }) => point) && (
        <section class="atm-aside stack" aria-labelledby="atm-map">
          <h2 id="atm-map">{texts.map}</h2>
          <OverviewMap
            book={book}
            found={all}
            place={place}
            label={texts.mapLabel(all.length, book.entries.length)}
          />
          <p class="quiet small">{texts.mapNote}</p>
        </section>
      )}
    </div>
  );
};

export const atmsPage = (props: ListProps): PageAnswer => {
  const { frame, lang, wish } = props;
  const { title, lead } = messages[lang];
  const children = (
    <>
      <div class="page-head">
        <h1>{title}</h1>
        <p class="lead">{lead}</p>
      </div>
      <Search {...props} />
      <Results {...props} />
    </>
  );
  const status = Object.keys(wish.faults).length > 0 ? 400 : 200;
  return {
    ...htmlPage({ frame, lang, title, description: lead, path: wishPath(wish, wish.page), children }),
    status,
  };
};
