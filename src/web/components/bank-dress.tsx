/** The bank's own on the pages for its account holders: its mark, the ways to reach it, and what it must tell. */

import type { BrandLink } from '../brand/brand.js';
import type { Frame } from '../frame.js';
import type { Language } from '../language.js';

/** Our own statement, for a bank that has given no address of its own. */
export const ACCESSIBILITY = '/accessibility';

export const bankTexts = {
  el: {
    links: 'Η τράπεζα',
    help: 'Βοήθεια',
    privacy: 'Προστασία δεδομένων',
    imprint: 'Στοιχεία της τράπεζας',
    accessibility: 'Προσβασιμότητα',
    telephone: 'Τηλέφωνο',
    cookies: 'Μόνο τα απαραίτητα cookies. Τίποτα δεν φορτώνεται από αλλού.',
    notAsked: 'Δεν το ζήτησα εγώ',
    nothing:
      'Απορρίψτε το ή κλείστε τη σελίδα: χωρίς τη δική σας έγκριση δεν γίνεται τίποτα. Μη δώσετε σε κανέναν τον κωδικό σας, ούτε αν σας τηλεφωνήσει.',
    tell: 'Ενημερώστε την τράπεζα:',
  },
  en: {
    links: 'The bank',
    help: 'Help',
    privacy: 'Privacy',
    imprint: 'About the bank',
    accessibility: 'Accessibility',
    telephone: 'Telephone',
    cookies: 'Necessary cookies only. Nothing is loaded from other sites.',
    notAsked: 'I did not ask for this',
    nothing:
      'Refuse it or close this page: nothing happens without your approval. Give your code to nobody, not even to a person who calls you.',
    tell: 'Tell the bank:',
  },
} satisfies Record<Language, unknown>;

export interface DressProps {
  readonly frame: Frame;
  readonly lang: string;
}

const textsOf = ({ frame, lang }: DressProps) => frame.brand.texts.in('bank', bankTexts, lang);

/** Not a link: who leaves a decision half-way should do so by deciding. */
export const BankMark = ({ frame, lang }: DressProps) => {
  const { brand } = frame;
  const name = brand.name(lang);
  return (
    <span class="mark bank">
      <img src={frame.href(brand.logo.path)} height="34" alt={brand.logoShowsName ? name : ''} />
      {brand.logoShowsName ? '' : name}
    </span>
  );
};

const Telephone = ({ frame, lang }: DressProps) =>
  frame.brand.telephone ? (
    <a href={`tel:${frame.brand.telephone.replace(/[^\d+]/g, '')}`}>
      <span class="unseen">{textsOf({ frame, lang }).telephone} </span>
      {frame.brand.telephone}
    </a>
  ) : null;

const Help = ({ frame, lang }: DressProps) => {
  const address = frame.brand.address('help', lang);
  return address ? <a href={address}>{textsOf({ frame, lang }).help}</a> : null;
};

/** For a person who does not know why the page has come. */
export const NotAsked = (props: DressProps) => {
  const { notAsked, nothing, tell } = textsOf(props);
  const { brand } = props.frame;
  const canTell = brand.telephone !== undefined || brand.address('help', props.lang) !== undefined;
  return (
    <details class="more not-asked">
      <summary>{notAsked}</summary>
      <p>{nothing}</p>
      {canTell && (
        <p>
          {tell} <Telephone {...props} /> <Help {...props} />
        </p>
      )}
    </details>
  );
};

const isOurs = (link: BrandLink): boolean => link === 'accessibility';

export const BankFooter = (props: DressProps) => {
  const { frame, lang } = props;
  const addressOf = (link: BrandLink): string | undefined =>
    frame.brand.address(link, lang) ?? (isOurs(link) ? frame.href(ACCESSIBILITY) : undefined);
  const legal = (['privacy', 'imprint', 'accessibility'] as const).flatMap((link) => {
    const address = addressOf(link);
    return address ? [{ link, address }] : [];
  });
  return (
    <footer class="footer">
      <div class="width-page">
        <nav aria-label={textsOf(props).links}>
          <ul class="plain bank-links">
            {frame.brand.address('help', lang) && (
              <li>
                <Help {...props} />
              </li>
            )}
            {frame.brand.telephone && (
              <li>
                <Telephone {...props} />
              </li>
            )}
            {legal.map(({ link, address }) => (
              <li key={link}>
                <a href={address}>{textsOf(props)[link]}</a>
              </li>
            ))}
          </ul>
        </nav>
        <p>{textsOf(props).cookies}</p>
      </div>
    </footer>
  );
};
